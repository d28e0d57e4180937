"""``python -m precis.cli`` is ``precis``."""

from __future__ import annotations

from precis.__main__ import main

if __name__ == "__main__":
    main()
