"""``python -m precis.cli`` is ``precis``."""

from precis.__main__ import main

if __name__ == "__main__":
    main()
