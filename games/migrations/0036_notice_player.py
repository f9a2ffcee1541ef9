import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0035_longer_slugs'),
    ]

    operations = [
        migrations.AddField(
            model_name='notice',
            name='player',
            field=models.ForeignKey(db_index=False, help_text='The seat’s; here an index finds a player’s last ones.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL),
        ),
    ]
