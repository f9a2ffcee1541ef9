from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0015_game_follows"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="closed_at",
            field=models.DateTimeField(
                blank=True, help_text="When the player left for good.", null=True, verbose_name="closed"
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="is_leaving",
            field=models.BooleanField(default=False, help_text="Closed, but not yet gone from all tables."),
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(condition=models.Q(("is_leaving", True)), fields=["id"], name="player_leaving"),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at__isnull", True), ("is_leaving", False)),
                    models.Q(("closed_at__isnull", False), ("is_active", False)),
                    _connector="OR",
                ),
                name="player_closed_is_shut_out",
            ),
        ),
    ]
