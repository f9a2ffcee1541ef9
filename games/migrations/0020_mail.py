import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0019_game_rules"),
    ]

    operations = [
        migrations.CreateModel(
            name="Mail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("due", "due"),
                            ("claimed", "claimed"),
                            ("sent", "sent"),
                            ("superseded", "superseded"),
                            ("quarantined", "quarantined"),
                        ],
                        default="due",
                        max_length=11,
                    ),
                ),
                ("due_at", models.DateTimeField()),
                ("claim", models.CharField(blank=True, help_text="The token of who holds the lease.", max_length=32)),
                ("lease_until", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "crashes",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Leases that ran out: the holder may have died."
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("message_id", models.CharField(max_length=200, unique=True)),
                ("dated_at", models.DateTimeField(help_text="Its Date; none while it surely is not out.", null=True)),
                ("sent_at", models.DateTimeField(null=True)),
                (
                    "error",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("refused", "the mail server refused it"),
                            ("busy", "the mail server asked for patience"),
                            ("no_entry", "the mail server does not let this site in"),
                            ("no_answer", "it went out, and no answer came"),
                            ("away", "the mail server could not be reached"),
                            ("provider", "the provider did not take it"),
                            ("fault", "the site made a mistake"),
                            ("crashed", "its sender died at every attempt"),
                            ("returned", "it came back"),
                        ],
                        max_length=9,
                    ),
                ),
                ("detail", models.CharField(blank=True, help_text="What the mail server answered.", max_length=300)),
                ("address", models.CharField(blank=True, max_length=254)),
                ("subject", models.TextField(blank=True)),
                ("headers", models.JSONField(default=list, help_text="Names and values, in order.")),
                ("pictures", models.JSONField(default=list, help_text="The names of the pictures that travel inside.")),
                ("packed_text", models.BinaryField(default=b"")),
                ("packed_html", models.BinaryField(default=b"")),
            ],
            options={
                "verbose_name": "mail",
                "verbose_name_plural": "mails",
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="mail",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="mails", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(condition=models.Q(("state", "due")), fields=["due_at", "id"], name="mail_due"),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(condition=models.Q(("state", "claimed")), fields=["lease_until"], name="mail_leased"),
        ),
        migrations.AddIndex(
            model_name="mail",
            index=models.Index(condition=models.Q(("state", "quarantined")), fields=["due_at"], name="mail_aside"),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("due", "claimed", "sent", "superseded", "quarantined"))),
                name="mail_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lease_until__isnull", False), ("state", "claimed")),
                    models.Q(
                        models.Q(("state", "claimed"), _negated=True), ("claim", ""), ("lease_until__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="mail_leased_exactly_while_claimed",
            ),
        ),
        migrations.AddConstraint(
            model_name="mail",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("sent_at__isnull", False), ("state", "sent")),
                    models.Q(models.Q(("state", "sent"), _negated=True), ("sent_at__isnull", True)),
                    _connector="OR",
                ),
                name="mail_stamped_exactly_when_sent",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="mail",
            field=models.ForeignKey(
                db_index=False,
                help_text="The mail that tells it.",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="notices",
                to="games.mail",
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(condition=models.Q(("mail__isnull", False)), fields=["mail"], name="notice_in_mail"),
        ),
        migrations.RemoveConstraint(
            model_name="webhookcall",
            name="webhook_call_state_known",
        ),
        migrations.RemoveConstraint(
            model_name="webhookcall",
            name="webhook_call_leased_exactly_while_claimed",
        ),
        migrations.AlterField(
            model_name="webhookcall",
            name="state",
            field=models.CharField(
                choices=[
                    ("due", "due"),
                    ("claimed", "claimed"),
                    ("sent", "sent"),
                    ("superseded", "superseded"),
                    ("quarantined", "quarantined"),
                ],
                default="due",
                max_length=11,
            ),
        ),
    ]
