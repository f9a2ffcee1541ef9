from django.db import migrations

from games.models.positions import fill_positions


def fill(apps, schema_editor):
    """Store the positions of the games that were over before: some 4 minutes for 100,000."""
    fill_positions(of=apps)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0054_passed_positions'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
