"""How mail programs announce what they quote: real forms, in their languages, of one mail of Clans."""

from __future__ import annotations

from typing import Final

MARKED: Final = {
    "gmail en": "On Mon, Nov 23, 2026 at 2:35 PM Clans by mail <\nclans@example.com> wrote:\n",
    "gmail en, narrow blank": "On Mon, Nov 23, 2026 at 2:35\u202fPM Clans by mail <clans@example.com>\nwrote:\n",
    "gmail de": "Am Mo., 23. Nov. 2026 um 14:35 Uhr schrieb Clans by mail <\nclans@example.com>:\n",
    "gmail fr": "Le lun. 23 nov. 2026 à 14:35, Clans by mail <clans@example.com> a\nécrit :\n",
    "gmail es": "El lun, 23 nov 2026 a las 14:35, Clans by mail (<clans@example.com>)\nescribió:\n",
    "gmail it": "Il giorno lun 23 nov 2026 alle ore 14:35 Clans by mail <\nclans@example.com> ha scritto:\n",
    "gmail nl": "Op ma 23 nov 2026 om 14:35 schreef Clans by mail <clans@example.com\n>:\n",
    "gmail pt": "Em seg., 23 de nov. de 2026 às 14:35, Clans by mail <\nclans@example.com> escreveu:\n",
    "gmail pl": "pon., 23 lis 2026 o 14:35 Clans by mail <clans@example.com>\nnapisał(a):\n",
    "gmail sv": "Den mån 23 nov. 2026 kl 14:35 skrev Clans by mail <clans@example.com>:\n",
    "gmail da": "Den man. 23. nov. 2026 kl. 14.35 skrev Clans by mail <\nclans@example.com>:\n",
    "gmail no": "man. 23. nov. 2026 kl. 14:35 skrev Clans by mail <clans@example.com>:\n",
    "gmail fi": "ma 23. marrask. 2026 klo 14.35 Clans by mail (clans@example.com)\nkirjoitti:\n",
    "gmail cs": "po 23. 11. 2026 v 14:35 odesílatel Clans by mail <clans@example.com>\nnapsal:\n",
    "gmail hu": "Clans by mail <clans@example.com> ezt írta (időpont: 2026. nov. 23., H,\n14:35):\n",
    "gmail tr": "Clans by mail <clans@example.com>, 23 Kas 2026 Pzt, 14:35 tarihinde şunu\nyazdı:\n",
    "gmail ru": "пн, 23 нояб. 2026 г. в 14:35, Clans by mail <clans@example.com>:\n",
    "gmail ja": "2026年11月23日(月) 14:35 Clans by mail <clans@example.com>:\n",
    "gmail zh": "Clans by mail <clans@example.com> 于2026年11月23日周一 14:35写道：\n",
    "gmail ko": "2026년 11월 23일 (월) 오후 2:35, Clans by mail <clans@example.com>님이 작성:\n",
    "thunderbird en": "On 11/23/26 14:35, Clans by mail wrote:",
    "thunderbird de": "Am 23.11.26 um 14:35 schrieb Clans by mail:",
    "thunderbird fr": "Le 23/11/2026 à 14:35, Clans by mail a écrit\u00a0:",
    "thunderbird it": "Il 23/11/26 14:35, Clans by mail ha scritto:",
    "thunderbird es": "El 23/11/26 a las 14:35, Clans by mail escribió:",
    "thunderbird nl": "Op 23-11-2026 om 14:35 schreef Clans by mail:",
    "apple en": "> On 23 Nov 2026, at 14:35, Clans by mail <clans@example.com> wrote:\n> ",
    "apple de": "> Am 23.11.2026 um 14:35 schrieb Clans by mail <clans@example.com>:\n> ",
    "apple, older": "On 23.11.2026, at 14:35, Clans by mail <clans@example.com> wrote:\n",
    "mutt": "On Mon, Nov 23, 2026 at 02:35:12PM +0000, Clans by mail wrote:",
    "mutt, with a star": "* Clans by mail <clans@example.com> [2026-11-23 14:35]:",
    "k-9 en": "On November 23, 2026 2:35:12 PM UTC, Clans by mail <clans@example.com> wrote:",
    "k-9 de": "Am 23. November 2026 14:35:12 MEZ schrieb Clans by mail <clans@example.com>:",
    "k-9 fr": "Le 23 novembre 2026 14:35:12 GMT+01:00, Clans by mail <clans@example.com> a écrit :",
    "proton": "On Monday, November 23rd, 2026 at 2:35 PM, Clans by mail <clans@example.com> wrote:\n",
    "proton, older": "------- Original Message -------\nOn Monday, November 23rd, 2026 at 2:35 PM, Clans by mail "
    "<clans@example.com> wrote:\n\n",
    "fastmail": "On Mon, Nov 23, 2026, at 2:35 PM, Clans by mail wrote:",
    "roundcube en": "On 2026-11-23 14:35, Clans by mail wrote:",
    "roundcube de": "Am 2026-11-23 14:35, schrieb Clans by mail:",
    "gnus": "Clans by mail <clans@example.com> writes:\n",
    "kmail en": "On Monday, November 23, 2026 2:35:12 PM CET Clans by mail wrote:",
    "kmail de": "Am Montag, 23. November 2026, 14:35:12 CET schrieb Clans by mail:",
    "evolution en": "On Mon, 2026-11-23 at 14:35 +0000, Clans by mail wrote:",
    "evolution de": "Am Montag, dem 23.11.2026 um 14:35 +0000 schrieb Clans by mail:",
    "claws en": "On Mon, 23 Nov 2026 14:35:12 +0000\nClans by mail <clans@example.com> wrote:\n",
    "claws de": "Am Mon, 23 Nov 2026 14:35:12 +0000\nschrieb Clans by mail <clans@example.com>:\n",
    "yandex": '23.11.2026, 14:35, "Clans by mail" <clans@example.com>:',
    "mail.ru": "Понедельник, 23 ноября 2026, 14:35 +03:00 от Clans by mail <clans@example.com>:\n",
    "spark": "On 23. Nov 2026, 14:35 +0100, Clans by mail <clans@example.com>, wrote:",
    "alpine": "On Mon, 23 Nov 2026, Clans by mail wrote:\n",
    "eudora": "At 02:35 PM 11/23/2026, Clans by mail wrote:",
    "nothing": "",
    "my own": "Clans by mail wrote:",
}
"""Where each quoted line has a mark after it."""

_NAMES: Final = {
    "en": ("From", "Sent", "To", "Subject"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "fr": ("De ", "Envoyé ", "À ", "Objet "),
    "es": ("De", "Enviado el", "Para", "Asunto"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "pt": ("De", "Enviada em", "Para", "Assunto"),
    "pl": ("Od", "Wysłano", "Do", "Temat"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
    "da": ("Fra", "Sendt", "Til", "Emne"),
    "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
    "cs": ("Od", "Odesláno", "Komu", "Předmět"),
    "hu": ("Feladó", "Elküldve", "Címzett", "Tárgy"),
    "tr": ("Kimden", "Gönderildi", "Kime", "Konu"),
    "ru": ("От", "Отправлено", "Кому", "Тема"),
    "el": ("Από", "Στάλθηκε", "Προς", "Θέμα"),
    "ja": ("差出人", "送信日時", "宛先", "件名"),
    "zh": ("发件人", "发送时间", "收件人", "主题"),
    "ko": ("보낸 사람", "보낸 날짜", "받는 사람", "제목"),
}
"""From, sent, to and subject, as Outlook calls them."""

_DATES: Final = {
    "en": "Monday, November 23, 2026 2:35 PM",
    "de": "Montag, 23. November 2026 14:35",
    "fr": "lundi 23 novembre 2026 14:35",
    "ja": "2026年11月23日 14:35",
}
_TITLES: Final = {
    "en": "Original message",
    "de": "Ursprüngliche Nachricht",
    "fr": "Message d'origine",
    "es": "Mensaje original",
    "it": "Messaggio originale",
    "nl": "Oorspronkelijk bericht",
    "sv": "Originalmeddelande",
    "zh": "原始邮件",
}


def headers_of(language: str, *, form: str = "{name}: {value}", between: str = "\n") -> str:
    """The headers of the quoted mail, as Outlook writes them above it."""
    date = _DATES.get(language, "23.11.2026 14:35")
    values = ("Clans by mail <clans@example.com>", date, "alice@example.com", "Your turn: Friday table (move 28)")
    pairs = zip(_NAMES[language], values, strict=True)
    return between.join(form.format(name=name, value=value) for name, value in pairs) + "\n"


_LINE: Final = "_" * 32 + "\n"
UNMARKED: Final = (
    {f"outlook {language}": headers_of(language) for language in _NAMES}
    | {f"outlook web {language}": _LINE + headers_of(language) for language in _NAMES}
    | {
        f"outlook, bold {language}": headers_of(language, form="*{name}:* {value}")
        for language in ("en", "de", "fr", "es", "it", "nl")
    }
    | {
        f"outlook, spaced {language}": headers_of(language, between="\n\n")
        for language in ("en", "de", "fr", "es", "it", "nl")
    }
    | {
        f"samsung {language}": f"-------- {title} --------\n{headers_of(language)}"
        for language, title in _TITLES.items()
    }
    | {
        f"outlook 2003 {language}": f"-----{title}-----\n{headers_of(language)}" for language, title in _TITLES.items()
    }
    | {
        "samsung, one line": "-------- Original message --------From: Clans by mail <clans@example.com> Date: "
        "23/11/2026  14:35  (GMT+01:00) To: alice@example.com Subject: Your turn: Friday table (move 28) \n",
        "outlook ios": f"Get Outlook for iOS<https://aka.ms/o0ukef>\n{_LINE}{headers_of('en')}",
        "outlook android de": f"Outlook für Android<https://aka.ms/AAb9ysg> herunterladen\n{_LINE}{headers_of('de')}",
        "windows mail": f"Sent from Mail for Windows\n\n{headers_of('en')}",
        "yahoo en": "    On Monday, November 23, 2026 at 02:35:12 PM GMT+1, Clans by mail <clans@example.com> wrote:"
        "  \n ",
        "yahoo de": "    Am Montag, 23. November 2026 um 14:35:12 MEZ hat Clans by mail <clans@example.com> Folgendes"
        " geschrieben:  \n ",
        "yahoo fr": "    Le lundi 23 novembre 2026 à 14:35:12 UTC+1, Clans by mail <clans@example.com> a écrit :  \n ",
        "yahoo es": "    El lunes, 23 de noviembre de 2026, 14:35:12 CET, Clans by mail <clans@example.com> escribió:"
        "  \n ",
        "yahoo it": "    Il lunedì 23 novembre 2026 alle ore 14:35:12 CET, Clans by mail <clans@example.com> ha "
        "scritto:  \n ",
        "yahoo pt": "    Em segunda-feira, 23 de novembro de 2026 às 14:35:12 BRT, Clans by mail <clans@example.com> "
        "escreveu:  \n ",
        "gmx": "Gesendet: Montag, 23. November 2026 um 14:35\nVon: \"Clans by mail\" <clans@example.com>\n"
        "An: alice@example.com\nBetreff: Your turn: Friday table (move 28)\n",
        "gmx en": 'Sent: Monday, November 23, 2026 at 2:35 PM\nFrom: "Clans by mail" <clans@example.com>\n'
        "To: alice@example.com\nSubject: Your turn: Friday table (move 28)\n",
        "em client": '------ Original Message ------\nFrom "Clans by mail" <clans@example.com>\nTo alice@example.com\n'
        "Date 23/11/2026 14:35:12\nSubject Your turn: Friday table (move 28)\n",
        "zoho": "---- On Mon, 23 Nov 2026 14:35:12 +0100 Clans by mail <clans@example.com> wrote ---\n",
        "qq": f"------------------ Original ------------------\n{headers_of('en')}",
        "163": "---- 回复的原邮件 ----\n| 发件人 | Clans<clans@example.com> |\n|  | 2026年11月23日 14:35 |\n",
        "notes": "From:\tClans by mail <clans@example.com>\nTo:\talice@example.com\nDate:\t23.11.2026 14:35\n"
        "Subject:\tYour turn: Friday table (move 28)\n",
        "aol": "-----Original Message-----\nFrom: Clans by mail <clans@example.com>\nTo: alice@example.com\n"
        "Sent: Mon, Nov 23, 2026 2:35 pm\nSubject: Your turn: Friday table (move 28)\n",
        "gmail, forwarded": "---------- Forwarded message ---------\nFrom: Clans by mail <clans@example.com>\n"
        "Date: Mon, Nov 23, 2026 at 2:35 PM\nSubject: Your turn: Friday table (move 28)\nTo: <alice@example.com>\n\n",
        "thunderbird, forwarded": "-------- Forwarded Message --------\nSubject: \tYour turn: Friday table (move 28)\n"
        "Date: \tMon, 23 Nov 2026 14:35:12 +0000\nFrom: \tClans by mail <clans@example.com>\n"
        "To: \talice@example.com\n\n",
    }
)  # fmt: skip
"""Where all that comes after it is quoted, without marks."""

FOOTERS: Final = (
    "Sent from my iPhone",
    "Sent from my iPad",
    "Sent from my Galaxy",
    "Sent from my Samsung Galaxy smartphone.",
    "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
    "Sent from Yahoo Mail on Android",
    "Sent from Yahoo Mail for iPhone",
    "Sent from Outlook for iOS",
    "Sent from Mail for Windows 10",
    "Sent from Proton Mail for iOS",
    "Sent with Proton Mail secure email.",
    "Sent using Zoho Mail",
    "Get Outlook for Android<https://aka.ms/AAb9ysg>",
    "Get BlueMail for Android",
    "Von meinem iPhone gesendet",
    "Von meinem Samsung Galaxy Smartphone gesendet.",
    "Gesendet mit der GMX Mail App",
    "Gesendet von Outlook für Android",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
    "Envoyé de mon iPhone",
    "Envoyé depuis mon smartphone Samsung Galaxy.",
    "Envoyé à partir de Outlook pour iOS",
    "Télécharger Outlook pour Android",
    "Enviado desde mi iPhone",
    "Enviado desde Outlook para Android",
    "Obtener Outlook para iOS",
    "Inviato da iPhone",
    "Inviato dal mio smartphone Samsung Galaxy.",
    "Scarica Outlook per Android",
    "Verstuurd vanaf mijn iPhone",
    "Verzonden vanuit Outlook voor Android",
    "Enviado do meu iPhone",
    "Skickat från min iPhone",
    "Sendt fra min iPhone",
    "Wysłane z iPhone'a",
    "Odesláno z iPhonu",
    "Отправлено с iPhone",
    "iPhoneから送信",
    "发自我的iPhone",
    "나의 iPhone에서 보냄",
    "iPhone'umdan gönderildi",
    "-- \nAlice Adams\nA4-B5, Example Street",
    "--\nAlice",
    "-- \nC1-D2",
    "__\nAlice",
    "—\nAlice",
    "Best regards,\nAlice\n+1 555 0100",
    "Kind regards\n\nAlice Adams",
    "Mit freundlichen Grüßen\nAlice",
    "Viele Grüße\nAlice",
    "Cordialement,\nAlice",
    "Cordiali saluti\nAlice",
    "Saludos,\nAlice",
    "Met vriendelijke groet,\nAlice",
    "Thanks,\nAlice",
    "This email and any attachments are confidential and intended for the addressee alone.",
    "Diese E-Mail enthält vertrauliche Informationen.\nC1-D2",
    "Disclaimer: this mail is confidential. If you are not its addressee, delete this mail.",
    "________________________________\nThis e-mail was scanned by an antivirus.",
)
"""What programs, people and companies put below each mail."""
