"""Network addresses that nothing is fetched from: everything that is not a public host on the internet.

The lists are those of IANA's registries of special addresses, and the addresses at which providers of machines answer with
secrets of the machine (metadata).
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

PUBLIC_PORTS = frozenset({80, 443, 8080, 8443})
"""Ports that requests may go to."""

_METADATA = (
    *("169.254.0.0/16", "fe80::/10"),  # link-local: most providers
    *("100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"),  # Alibaba, Azure, Oracle
    *("fd00:ec2::/32", "fd20:ce::254/128"),  # Amazon, Google
)
_NEVER = (
    *("0.0.0.0/8", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24"),
    *("203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
)
_PRIVATE = (
    *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
    *("::1/128", "fc00::/7"),
)
_PUBLIC_6 = IPv6Network("2000::/3")
_SPECIAL_6 = (
    *(
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    ),  # protocols (Teredo too), examples, 6to4, examples
    "2620:4f:8000::/48",
)
_NAT64 = IPv6Network("64:ff9b::/96")


_Networks = tuple[IPv4Network | IPv6Network, ...]


def _networks(texts: tuple[str, ...]) -> _Networks:
    return tuple(ip_network(text) for text in texts)


_ALWAYS = {
    "a link-local or metadata address": _networks(_METADATA),
    "an address of no public host": _networks(_NEVER),
}
_INSIDE = _networks(_PRIVATE)
_SPECIAL = _networks(_SPECIAL_6)


def refusal(text: str, *, allow_private: bool = False) -> str:
    """Why nothing is fetched from a network address, as the end of a sentence; empty where it may be.

    An IPv6 address that stands for an IPv4 one (NAT64) is judged by that one; IPv4 addresses in other disguises are refused.

    allow_private  whether loopback and private networks are allowed; metadata, link-local and multicast never

    >>> refusal("93.184.215.14"), refusal("10.0.0.1"), refusal("::ffff:10.0.0.1")
    ('', 'a private address', 'an address of no public host')
    >>> refusal("127.0.0.1", allow_private=True), refusal("169.254.169.254", allow_private=True)
    ('', 'a link-local or metadata address')
    """
    try:
        address = ip_address(text)
    except ValueError:
        return "no network address"
    if isinstance(address, IPv6Address) and address in _NAT64:
        address = IPv4Address(int(address) & 0xFFFF_FFFF)
    for reason, networks in _ALWAYS.items():
        if _within(address, networks):
            return reason
    if _within(address, _INSIDE):
        return "" if allow_private else "a private address"
    if isinstance(address, IPv6Address) and (address not in _PUBLIC_6 or _within(address, _SPECIAL)):
        return "an address of no public host"
    return ""


def _within(address: IPv4Address | IPv6Address, networks: _Networks) -> bool:
    return any(address.version == network.version and address in network for network in networks)
