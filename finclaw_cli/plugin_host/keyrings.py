"""The kernel's keyrings, which a process shares with its user: closed to code that is not trusted (Linux).

A sandbox of namespaces does not separate them (keyrings(7)), so their system calls are refused by a filter, which also
holds for everything that the process starts (seccomp(2), filters as in linux/bpf_common.h).
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from contextlib import suppress

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38
MODE_FILTER = 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
INSTRUCTION = "=HBBI"
NUMBER_AT, ARCHITECTURE_AT = 0, 4
"""Offsets in `struct seccomp_data`."""
# The architecture's audit number; the numbers of add_key, request_key and keyctl; the first number of a second ABI.
_MACHINES = {
    "x86_64": (0xC000003E, (248, 249, 250), 0x40000000),
    "aarch64": (0xC00000B7, (217, 218, 219), None),
}


def refuse_keyrings() -> None:
    """Refuse the system calls of keyrings to this process and its children, where the kernel can."""
    known = _MACHINES.get(platform.machine())
    if known is None:
        return
    made = _filter(*known)
    instructions = ctypes.create_string_buffer(made)
    program = struct.pack("HP", len(made) // struct.calcsize(INSTRUCTION), ctypes.addressof(instructions))
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        libc.prctl(PR_SET_SECCOMP, MODE_FILTER, program, 0, 0)


def _filter(architecture: int, numbers: tuple[int, ...], other_abi: int | None) -> bytes:
    """The filter: calls of another architecture or ABI are refused as well."""
    tests = [(IF_AT_LEAST, other_abi)] if other_abi is not None else []
    tests += [(IF_EQUAL, number) for number in numbers]
    steps = [(LOAD, 0, 0, ARCHITECTURE_AT), (IF_EQUAL, 0, len(tests) + 2, architecture), (LOAD, 0, 0, NUMBER_AT)]
    # A test that holds leads behind the ALLOW that follows on the last one.
    steps += [(code, len(tests) - place, 0, value) for place, (code, value) in enumerate(tests)]
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    return b"".join(struct.pack(INSTRUCTION, *step) for step in steps)
