"""Run a program in a user namespace of its own: ``python embedded_namespace.py UID GID PROGRAM ARGUMENT ...``.

PostgreSQL refuses to run as root. In this namespace our own user and group have the numbers UID and GID, so the
program sees an ordinary user, has none of root's rights, and every file it makes stays ours. The file is run by its
path, before anything of precis is loaded: a process with threads cannot enter a namespace.
"""

import ctypes
import os
import sys

_CLONE_NEWUSER = 0x10000000


def enter(uid: int, gid: int) -> None:
    """Enter a new user namespace in which we are this user and group. Raises OSError where that is not allowed."""
    ours, group = os.geteuid(), os.getegid()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWUSER) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    # The kernel wants this before it believes a map of groups.
    for name, text in ("setgroups", "deny"), ("uid_map", f"{uid} {ours} 1"), ("gid_map", f"{gid} {group} 1"):
        # Reading pathlib would take longer than all the rest.
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(text)


if __name__ == "__main__":
    enter(int(sys.argv[1]), int(sys.argv[2]))
    os.execv(sys.argv[3], sys.argv[3:])  # noqa: S606 - the caller names the program, and no shell reads it
