"""Hashes of ids and rows in the plain twin, of which digests are made, as in native/hash.h."""

from struct import pack

PI = [  # the fractional digits of pi, sixteen at a time
    *(0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
    *(0x452821E638D01377, 0xBE5466CF34E90C6C, 0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917),
]


def fold(a: int, b: int) -> int:
    """Both halves of the product of two 64-bit words, in one word."""
    product = a * b
    return (product ^ product >> 64) & (1 << 64) - 1


def mix(x: int, y: int) -> int:
    """Both factors again in what fold makes of them: a product with zero would forget the other one."""
    return fold(x, y) ^ x ^ (y << 32 | y >> 32) & (1 << 64) - 1


def hash_id(data: bytes) -> int:
    """64 bits that stand for an id."""
    state, rest = PI[0], data
    while len(rest) > 16:
        state = mix(int.from_bytes(rest[:8], "little") ^ PI[1], int.from_bytes(rest[8:16], "little") ^ state)
        rest = rest[16:]
    if len(rest) >= 4:  # two words that may overlap
        width = 8 if len(rest) >= 8 else 4
        a, b = int.from_bytes(rest[:width], "little"), int.from_bytes(rest[-width:], "little")
    elif rest:
        a, b = rest[0] | rest[len(rest) // 2] << 8 | rest[-1] << 16, 0
    else:
        a, b = 0, 0
    return fold(mix(a ^ PI[2] ^ state, b ^ PI[3]) ^ PI[1], len(data) ^ PI[4])


def hash_row(topic: bytes, document: bytes, value: float) -> int:
    """128 bits that stand for a row."""
    bits = int.from_bytes(pack("<d", value + 0.0), "little")  # −0.0 + 0.0 is 0.0: equal values, equal bits
    both = fold(hash_id(document) ^ PI[5], hash_id(topic) ^ PI[6])
    low = fold(both ^ PI[7], bits ^ PI[0])
    return fold(low ^ PI[2], both ^ bits) << 64 | low
