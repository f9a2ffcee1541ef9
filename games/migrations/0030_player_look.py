from django.db import migrations, models

from games.models.names import look_of


def note_looks(apps, schema_editor):
    """Of two names that look alike, the older keeps the look; both keep their names."""
    Player = apps.get_model("games", "Player")
    taken, changed = set(), []
    for player in Player.objects.filter(closed_at=None).only("username").order_by("pk").iterator():
        look = look_of(player.username)
        if look not in taken:
            taken.add(look)
            player.look = look
            changed.append(player)
    Player.objects.bulk_update(changed, ["look"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0022_notice_without_envelope"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="look",
            field=models.CharField(
                editable=False,
                help_text="What the name looks like; empty for names that are older than the rule.",
                max_length=600,
                null=True,
                unique=True,
            ),
        ),
        migrations.RunPython(note_looks, migrations.RunPython.noop),
    ]
