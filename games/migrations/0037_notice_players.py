from django.db import migrations, models


def name_players(apps, schema_editor):
    """A notice is for who has its seat; a seat without a player was never owed any."""
    Notice, Seat = apps.get_model('games', 'Notice'), apps.get_model('games', 'Seat')
    Notice.objects.filter(seat__player=None).delete()
    player = Seat.objects.filter(pk=models.OuterRef('seat')).values('player')[:1]
    Notice.objects.update(player=models.Subquery(player))


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0036_notice_player'),
    ]

    operations = [
        migrations.RunPython(name_players, migrations.RunPython.noop, elidable=True),
    ]
