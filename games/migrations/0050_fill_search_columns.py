from django.db import migrations

from games.models.results import fill_results


def fill(apps, schema_editor):
    """Fill the columns for the games that were over before."""
    fill_results(of=apps)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0049_search_columns'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
