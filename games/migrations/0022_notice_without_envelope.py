from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0021_mails_of_notices"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_state_known",
        ),
        migrations.RemoveConstraint(
            model_name="notice",
            name="notice_leased_exactly_while_claimed",
        ),
        migrations.RemoveIndex(
            model_name="notice",
            name="notice_due",
        ),
        migrations.RemoveIndex(
            model_name="notice",
            name="notice_leased",
        ),
        migrations.RemoveIndex(
            model_name="notice",
            name="notice_aside",
        ),
        migrations.RemoveIndex(
            model_name="notice",
            name="notice_rides",
        ),
        migrations.RenameIndex(
            model_name="webhookcall",
            new_name="webhookcall_due",
            old_name="webhook_call_due",
        ),
        migrations.RenameIndex(
            model_name="webhookcall",
            new_name="webhookcall_leased",
            old_name="webhook_call_leased",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="attempts",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="carrier",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="claim",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="crashes",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="dated_at",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="error",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="lease_until",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="message_id",
        ),
        migrations.RemoveField(
            model_name="notice",
            name="told",
        ),
        migrations.AddField(
            model_name="webhookcall",
            name="crashes",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="Leases that ran out: the holder may have died."
            ),
        ),
        migrations.AddField(
            model_name="webhookcall",
            name="error",
            field=models.CharField(
                blank=True,
                choices=[
                    ("address", "that is not an address on the public net"),
                    ("name", "there is no host of that name"),
                    ("away", "the host takes no connection"),
                    ("tls", "the host’s certificate is not valid"),
                    ("slow", "the host did not answer in time"),
                    ("garbled", "what answered does not speak HTTP"),
                    ("redirect", "the address leads elsewhere, and we do not follow"),
                    ("refused", "the host refused"),
                    ("gone", "the host says that this address is no more"),
                ],
                max_length=9,
            ),
        ),
        migrations.AlterField(
            model_name="notice",
            name="state",
            field=models.CharField(
                choices=[
                    ("due", "due"),
                    ("sent", "sent"),
                    ("superseded", "superseded"),
                    ("quarantined", "quarantined"),
                ],
                default="due",
                max_length=11,
            ),
        ),
        migrations.AddIndex(
            model_name="webhookcall",
            index=models.Index(
                condition=models.Q(("state", "quarantined")), fields=["due_at"], name="webhookcall_aside"
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookcall",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("due", "claimed", "sent", "superseded", "quarantined"))),
                name="webhookcall_state_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="webhookcall",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("lease_until__isnull", False), ("state", "claimed")),
                    models.Q(
                        models.Q(("state", "claimed"), _negated=True), ("claim", ""), ("lease_until__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="webhookcall_leased_exactly_while_claimed",
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("mail__isnull", True), ("state", "due")),
                fields=["due_at", "id"],
                name="notice_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ("due", "sent", "superseded", "quarantined"))),
                name="notice_state_known",
            ),
        ),
    ]
