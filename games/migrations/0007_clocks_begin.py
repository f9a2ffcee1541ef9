from datetime import timedelta

from django.db import migrations, models
from django.utils import timezone


def begin(apps, schema_editor):
    """Turns that run get the usual pace from now on, and open tables their month."""
    Game = apps.get_model('games', 'Game')
    now = timezone.now()
    Game.objects.filter(status='open', due_at=None).update(due_at=now + timedelta(days=30))
    waiting = Game.objects.filter(status='running', due_at=None).exclude(awaited=None)
    waiting.update(
        free_until=now + timedelta(hours=72),
        due_at=now + timedelta(hours=72 + 168),
        remind_at=now + timedelta(hours=36),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0006_clocks_and_mail'),
    ]

    operations = [
        migrations.AddField(
            model_name='notice',
            name='about',
            field=models.PositiveSmallIntegerField(help_text='Seat of the fellow player whom it is about.', null=True),
        ),
        migrations.RunPython(begin, migrations.RunPython.noop, elidable=True),
    ]
