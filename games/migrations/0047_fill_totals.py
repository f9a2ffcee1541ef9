from django.db import migrations

from games.models.totals import count_totals, write_totals


def fill(apps, schema_editor):
    """Count the games that there are already, as `manage.py recount` does."""
    write_totals(count_totals(of=apps), into=apps)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0046_totals'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
