from django.db import migrations, models

from games.models.chain import fill_chain


def fill(apps, schema_editor):
    """Hash the log of each game that has begun: some 25 minutes for a million."""
    fill_chain(of=apps)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0062_round_robin'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='last_hash',
            field=models.BinaryField(help_text='Hash of the last move, or of the opening: the end of the chain.', max_length=32, null=True),
        ),
        migrations.AddField(
            model_name='move',
            name='previous_hash',
            field=models.BinaryField(help_text='Hash of the move before, or of the opening.', max_length=32, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
