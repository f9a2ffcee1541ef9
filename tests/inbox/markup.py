"""How mail programs write an answer as HTML: what somebody wrote, then the mail that is quoted."""

from __future__ import annotations

from html import escape
from typing import Final

_ON: Final = (
    "On Mon, Nov 23, 2026 at 2:35&#8239;PM Clans by mail &lt;"
    '<a href="mailto:clans@example.com">clans@example.com</a>&gt; wrote:'
)
_AM: Final = "Am 23.11.26 um 14:35 schrieb Clans by mail:"


def _divs(text: str) -> str:
    return "".join(f"<div>{escape(line) or '<br>'}</div>" for line in text.split("\n"))


def _breaks(text: str) -> str:
    return "<br>\n".join(escape(line) for line in text.split("\n"))


def _paragraphs(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(f"<p class=MsoNormal>{escape(line) or '&nbsp;'}<o:p></o:p></p>" for line in lines)


def _headers(names: tuple[str, str, str, str], date: str) -> str:
    values = ("Clans by mail &lt;clans@example.com&gt;", date, "alice@example.com", "Your turn: Friday table")
    return "<br>\n".join(f"<b>{name}:</b> {value}" for name, value in zip(names, values, strict=True))


_HEADERS: Final = {
    "en": _headers(("From", "Sent", "To", "Subject"), "Monday, November 23, 2026 2:35 PM"),
    "de": _headers(("Von", "Gesendet", "An", "Betreff"), "Montag, 23. November 2026 14:35"),
    "fr": _headers(("De&nbsp;", "Envoyé&nbsp;", "À&nbsp;", "Objet&nbsp;"), "lundi 23 novembre 2026 14:35"),
    "es": _headers(("De", "Enviado el", "Para", "Asunto"), "lunes, 23 de noviembre de 2026 14:35"),
    "it": _headers(("Da", "Inviato", "A", "Oggetto"), "lunedì 23 novembre 2026 14:35"),
    "nl": _headers(("Van", "Verzonden", "Aan", "Onderwerp"), "maandag 23 november 2026 14:35"),
    "fi": _headers(("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"), "maanantai 23. marraskuuta 2026 14.35"),
    "ja": _headers(("差出人", "送信日時", "宛先", "件名"), "2026年11月23日 14:35"),
}

# {0} is what was written, in the lines of the program, {1} the mail that is quoted.
_DIVS: Final = {
    "gmail": '<div dir="ltr">{0}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" '
    'class="gmail_attr">'
    f'{_ON}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{{1}}</blockquote></div>',
    "gmail, older": f'<div dir="ltr">{{0}}<div class="gmail_extra"><br><div class="gmail_quote">{_ON}<br>'
    '<blockquote class="gmail_quote">{1}</blockquote></div></div></div>',
    "gmail, signed": '<div dir="ltr">{0}<div><br clear="all"></div><div><br></div><span '
    'class="gmail_signature_prefix">-- '
    '</span><br><div dir="ltr" class="gmail_signature"><div>Alice<br>C1-D2</div></div></div><br>'
    f'<div class="gmail_quote"><div class="gmail_attr">{_ON}<br></div><blockquote>{{1}}</blockquote></div>',
    "outlook web": '<div style="font-family: Calibri">{0}</div><hr style="display:inline-block;width:98%" '
    'tabindex="-1">'
    f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{_HEADERS["en"]}</font><div>&nbsp;</div></div><div>'
    f'{{1}}</div>',
    "outlook web, renamed": '<div>{0}</div><hr tabindex="-1"><div id="x_divRplyFwdMsg">'
    f"{_HEADERS['de']}</div><div>{{1}}</div>",
    "outlook, new": '<div class="elementToProof">{0}</div><div id="appendonsend"></div><hr>{1}',
    "outlook, new, without its headers": '<div>{0}</div><div id="mail-editor-reference-message-container">{1}</div>',
    "outlook ios": '<div>{0}</div><div class="ms-outlook-mobile-signature"><div>Get <a '
    'href="https://aka.ms/o0ukef">Outlook '
    f'for iOS</a></div></div><div id="mail-editor-reference-message-container"><hr>{_HEADERS["en"]}</div>{{1}}',
    "apple": '<html><body style="overflow-wrap: break-word;">{0}<div><br><blockquote type="cite"><div>On 23 Nov '
    '2026, at '
    "14:35, Clans by mail &lt;clans@example.com&gt; wrote:</div><br><div>{1}</div></blockquote></div></body></html>",
    "ios": '<html><body dir="auto">{0}<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">Sent from my iPhone</div>'
    '<div dir="ltr"><br><blockquote type="cite">On Nov 23, 2026, at 2:35 PM, Clans by mail wrote:<br><br></blockquote>'
    '</div><blockquote type="cite"><div dir="ltr">{1}</div></blockquote></body></html>',
    "ios de": '<html><body dir="auto">{0}<div dir="ltr">Von meinem iPhone gesendet</div><div dir="ltr"><br>'
    '<blockquote type="cite">Am 23.11.2026 um 14:35 schrieb Clans by mail:<br></blockquote></div>'
    '<blockquote type="cite">{1}</blockquote></body></html>',
    "yahoo": '<div class="ydp1a2b3cyahoo-style-wrap">{0}</div><div id="ydp4d5eyahoo_quoted_1" '
    'class="ydp4d5eyahoo_quoted">'
    "<div>On Monday, November 23, 2026 at 02:35:12 PM GMT+1, Clans by mail wrote:</div><div>{1}</div></div>",
    "yahoo, plain class": '<div>{0}</div><div class="yahoo_quoted"><div>On Monday wrote:</div>{1}</div>',
    "gmx": '<div>{0}</div><div name="quote" style="border-left:2px solid #C3D9E5;"><div><b>Gesendet:</b> Montag, '
    '23. November '
    "2026 um 14:35<br><b>Von:</b> Clans by mail</div><div name=\"quoted-content\">{1}</div></div>",
    "proton": '<div>{0}</div><div class="protonmail_signature_block"><div>Sent with Proton Mail secure '
    'email.</div></div>'
    '<div class="protonmail_quote">On Monday, November 23rd, 2026 at 2:35 PM, Clans by mail wrote:<br>'
    '<blockquote class="protonmail_quote" type="cite">{1}</blockquote></div>',
    "samsung": '<div>{0}</div><div id="composer_signature"><div>Sent from my Galaxy</div></div><div '
    'style="font-size:100%">'
    f"<div>-------- Original message --------</div><div>{_HEADERS['en']}</div>{{1}}</div>",
    "k-9": f'<div dir="auto">{{0}}</div><br><br><div class="gmail_quote"><div dir="auto">{_AM}</div>'
    '<blockquote class="gmail_quote">{1}</blockquote></div>',
    "zoho": '<div>{0}</div><div class="zmail_extra"><div>---- On Mon, 23 Nov 2026 14:35:12 +0100 Clans wrote ---</div>'
    "<blockquote>{1}</blockquote></div>",
    "yandex": '<div>{0}</div><div>23.11.2026, 14:35, "Clans by mail" &lt;clans@example.com&gt;:</div>'
    "<blockquote>{1}</blockquote>",
    "tutanota": '<div>{0}</div><div class="tutanota_quote">Nov 23, 2026, 14:35 by clans@example.com:<br>'
    '<blockquote class="tutanota_quote">{1}</blockquote></div>',
    "fastmail": '<div>{0}</div><div>On Mon, Nov 23, 2026, at 2:35 PM, Clans by mail wrote:</div>'
    '<blockquote type="cite" id="qt">{1}</blockquote>',
    "hidden": '<div style="display:none">C1-D2</div>{0}<blockquote>{1}</blockquote>',
    "with a head": "<html><head><title>C1-D2</title><style>p {{ color: red }}</style></head><body>{0}"
    "<blockquote>{1}</blockquote></body></html>",
    "commented": "<!-- C1-D2 -->{0}<!--[if mso]><div>C1-D2</div><![endif]--><blockquote>{1}</blockquote>",
    "never closed": "{0}<blockquote><div><div>{1}",
}  # fmt: skip
_BREAKS: Final = {
    "thunderbird": '<html><body><p>{0}</p><div class="moz-cite-prefix">On 11/23/26 14:35, Clans by mail wrote:<br>'
    "</div>"
    '<blockquote type="cite" cite="mid:turn@example.com">{1}</blockquote></body></html>',
    "thunderbird de": f'<html><body>{{0}}<br><div class="moz-cite-prefix">{_AM}<br></div><blockquote>{{1}}</blockquote>'
    '<div class="moz-signature">-- <br>Alice</div></body></html>',
    "thunderbird, below": f'<html><body><div class="moz-cite-prefix">{_AM}<br></div><blockquote type="cite">{{1}}'
    "</blockquote><p>{0}</p></body></html>",
    "roundcube": '<p id="reply-intro">On 2026-11-23 14:35, Clans by mail wrote:</p><blockquote type="cite">'
    "{1}</blockquote>"
    "<p>{0}</p>",
    "spark": '{0}<div name="messageReplySection">On 23. Nov 2026, 14:35 +0100, Clans by mail '
    "&lt;clans@example.com&gt;, "
    'wrote:<br><blockquote type="cite">{1}</blockquote></div>',
    "without anything": "{0}",
    "table": "<table><tr><td>{0}</td></tr><tr><td><blockquote>{1}</blockquote></td></tr></table>",
    "ruled": "{0}<br>________________________________<br>{1}",
    "in capital tags": "<HTML><BODY>{0}<BR><BLOCKQUOTE TYPE=CITE>{1}</BLOCKQUOTE></BODY></HTML>",
}
_PARAGRAPHS: Final = {
    f"outlook {language}": '<html><body lang=EN><div class=WordSection1>{0}<div><div '
    'style="border:none;border-top:solid #E1E1E1 '
    f'1.0pt;padding:3.0pt 0in 0in 0in"><p class=MsoNormal>{headers}<o:p></o:p></p></div></div>{{1}}</div></body></html>'
    for language, headers in _HEADERS.items()
} | {
    "windows mail": "<div class=WordSection1>{0}<p class=MsoNormal>Sent from <a href='https://go.microsoft.com'>"
    "Mail</a> for "
    f"Windows</p><div style='border-top:solid'><p class=MsoNormal>{_HEADERS['en']}</p></div>{{1}}</div>",
}  # fmt: skip

PROGRAMS: Final = {
    **{name: (_divs, page) for name, page in _DIVS.items()},
    **{name: (_breaks, page) for name, page in _BREAKS.items()},
    **{name: (_paragraphs, page) for name, page in _PARAGRAPHS.items()},
}


def write(program: str, text: str, quoted: str) -> str:
    """The HTML of an answer."""
    lines, page = PROGRAMS[program]
    return page.format(lines(text), quoted)
