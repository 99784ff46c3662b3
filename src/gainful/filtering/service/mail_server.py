"""The mail server that digests are handed to: where it is, how the way to it is protected, and what it says of a message."""

from __future__ import annotations

import ipaddress
import os
import re
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit

from gainful.errors import DataError, UsageError, printable
from gainful.formats.ids import shown

SERVER, PASSWORD, SENDER = "GAINFUL_SMTP", "GAINFUL_SMTP_PASSWORD", "GAINFUL_MAIL_FROM"
"""Variables of the environment: the server's address, its password, and whom messages come from."""

SECONDS = 30.0
"""Time that the server has for each answer."""

_PORTS = {"smtp": 587, "smtps": 465}
_ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?"
)

Security = Literal["tls", "starttls", "none"]


class MailNotSent(DataError):
    """The server did not take the message: it may be sent again."""


class MailUncertain(DataError):
    """The server may have taken the message and did not say so: sent again, it could arrive twice."""


def mail_address(text: str) -> str:
    """A mail address; refused where it is none, or has more than one line.

    >>> mail_address(" ada@example.org ")
    'ada@example.org'
    """
    address = text.strip()
    if not _ADDRESS.fullmatch(address) or ".." in address:
        raise UsageError(f"'{shown(address[:100])}' is not a mail address; write it as name@example.org.")
    return address


@dataclass(frozen=True)
class MailServer:
    """A mail server.

    sender    whom messages come from
    security  tls from the beginning, starttls before anything is said, or none
    user, password  to log in; empty for a server that asks for none
    """

    host: str
    port: int
    sender: str
    security: Security = "starttls"
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def of(cls, address: str, *, sender: str, password: str = "") -> MailServer:
        """The server at smtp://user@host:587 or smtps://user@host:465.

        A connection by smtp:// is encrypted by STARTTLS, unless the server is on this machine or `?security=none` is said.
        """
        parts = urlsplit(address)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in _PORTS or not parts.hostname or port == -1:
            raise UsageError("a mail server is given as smtp://USER@HOST:587 or smtps://USER@HOST:465.")
        asked = parse_qs(parts.query).get("security", [""])[-1]
        if asked not in ("", "none", "starttls"):
            raise UsageError("security of a mail server is starttls or none; smtps:// is for TLS.")
        usual: Security = "none" if _is_loopback(parts.hostname) else "starttls"
        security: Security = (
            "tls"
            if parts.scheme == "smtps"
            else "none"
            if asked == "none"
            else "starttls"
            if asked
            else usual
        )
        server = cls(
            parts.hostname,
            port or _PORTS[parts.scheme],
            mail_address(sender),
            security,
            unquote(parts.username or ""),
            password or unquote(parts.password or ""),
        )
        if server.password and security == "none" and not _is_loopback(server.host):
            raise UsageError(
                "a password is not sent to a mail server over a connection that is not encrypted."
            )
        return server

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> MailServer | None:
        """The server that the environment names; None where it names none."""
        address = environment.get(SERVER, "")
        if not address:
            return None
        sender = environment.get(SENDER, "")
        if not sender:
            raise UsageError(f"{SERVER} is set; {SENDER} must be too: the address that mails come from.")
        return cls.of(address, sender=sender, password=environment.get(PASSWORD, ""))

    def send(self, message: EmailMessage, to: str) -> None:
        """Hand a message over; raises `MailNotSent` where it certainly was not taken, `MailUncertain` where nobody knows."""
        try:
            server = self._connected()
        except (smtplib.SMTPException, OSError) as fault:
            raise MailNotSent(self._said("cannot be used", fault)) from None
        try:
            self._hand_over(server, message.as_bytes(policy=SMTP), to)
        finally:
            with suppress(smtplib.SMTPException, OSError):
                server.quit()
            server.close()

    def _connected(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self.security == "tls":
            server: smtplib.SMTP = smtplib.SMTP_SSL(self.host, self.port, timeout=SECONDS, context=context)
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=SECONDS)
        try:
            if self.security == "starttls":
                server.starttls(context=context)
            if self.user:
                server.login(self.user, self.password)
            server.ehlo_or_helo_if_needed()
        except BaseException:
            server.close()
            raise
        return server

    def _hand_over(self, server: smtplib.SMTP, message: bytes, to: str) -> None:
        try:
            for code, reply in (server.mail(self.sender), server.rcpt(to)):
                if code >= 300:
                    raise smtplib.SMTPResponseException(code, reply)
        except (smtplib.SMTPException, OSError) as fault:
            raise MailNotSent(self._said("did not take the message", fault)) from None
        try:
            code, reply = server.data(message)
        except smtplib.SMTPDataError as fault:
            raise MailNotSent(self._said("did not take the message", fault)) from None
        except (smtplib.SMTPException, OSError) as fault:
            raise MailUncertain(self._said("broke off while it was given the message", fault)) from None
        if code >= 300:
            raise MailNotSent(
                self._said("did not take the message", smtplib.SMTPResponseException(code, reply))
            )

    def _said(self, what: str, fault: Exception) -> str:
        if isinstance(fault, smtplib.SMTPResponseException):
            reply = fault.smtp_error
            reason = (
                f"{fault.smtp_code} {reply.decode('utf-8', 'replace') if isinstance(reply, bytes) else reply}"
            )
        else:
            reason = str(fault) or type(fault).__name__
        return f"the mail server {shown(self.host)}:{self.port} {what}: {printable(' '.join(reason.split()))[:300]}"


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
