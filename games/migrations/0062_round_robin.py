from django.db import migrations, models

ADD_INDEX = """
CREATE INDEX IF NOT EXISTS "notice_due_to" ON "games_notice" ("player_id", "due_at")
WHERE ("mail_id" IS NULL AND "state" = 'due')
"""


def rename(apps, schema_editor):
    apps.get_model("games", "Season").objects.filter(format="circle").update(format="round-robin")


def rename_back(apps, schema_editor):
    apps.get_model("games", "Season").objects.filter(format="round-robin").update(format="circle")


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0061_seats_left'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='season',
            name='season_format_known',
        ),
        migrations.AlterField(
            model_name='season',
            name='format',
            field=models.CharField(choices=[('swiss', 'Swiss'), ('round-robin', 'round robin')], default='swiss', max_length=11),
        ),
        migrations.RunPython(rename, rename_back),
        migrations.AddConstraint(
            model_name='season',
            constraint=models.CheckConstraint(condition=models.Q(('format__in', ('swiss', 'round-robin'))), name='season_format_known'),
        ),
        # Sites that were made while 0057 added it have it already.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(ADD_INDEX, 'DROP INDEX IF EXISTS "notice_due_to"')],
            state_operations=[
                migrations.AddIndex(
                    model_name='notice',
                    index=models.Index(condition=models.Q(('mail__isnull', True), ('state', 'due')), fields=['player', 'due_at'], name='notice_due_to'),
                ),
            ],
        ),
    ]
