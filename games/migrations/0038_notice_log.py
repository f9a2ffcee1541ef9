import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0037_notice_players'),
    ]

    operations = [
        migrations.AlterField(
            model_name='notice',
            name='player',
            field=models.ForeignKey(db_index=False, help_text='The seat’s; here an index finds a player’s last ones.', on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['player', '-created_at', '-id'], name='notice_log'),
        ),
        migrations.RemoveIndex(
            model_name='seat',
            name='seat_unfinished',
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('total__isnull', True)), fields=['player', '-game'], name='seat_unfinished'),
        ),
    ]
