import django.db.models.deletion
from django.conf import settings
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
        migrations.CreateModel(
            name='ImportedRecord',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='imported', serialize=False, to='games.game')),
                ('extra', models.TextField(help_text='What the record has besides the game, as JSON: the title, times, the deal.')),
                ('at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'imported record',
                'verbose_name_plural': 'imported records',
            },
        ),
        migrations.RemoveConstraint(
            model_name='seat',
            name='seat_has_somebody',
        ),
        migrations.AlterField(
            model_name='formerholder',
            name='player',
            field=models.ForeignKey(help_text='Nobody with an account, if the game was imported.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='former_seats', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AlterField(
            model_name='game',
            name='opener',
            field=models.ForeignKey(help_text='Nobody, if the game was imported.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='opened_games', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('opener__isnull', False), ('status', 'finished'), _connector='OR'), name='game_has_an_opener_unless_imported'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('player__isnull', False), ('is_bot', True), ('ended_at__isnull', False), _connector='OR'), name='seat_has_somebody'),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
