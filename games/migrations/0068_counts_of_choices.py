from django.db import migrations, models


def move_to_column(apps, schema_editor):
    for row in apps.get_model("games", "ArchiveStatistics").objects.all():
        row.choices = row.counts["all"].pop("choices", {})
        row.counts["people"].pop("choices", None)
        row.save()


def move_back(apps, schema_editor):
    for row in apps.get_model("games", "ArchiveStatistics").objects.all():
        row.counts["all"]["choices"] = row.choices
        row.counts["people"]["choices"] = {}
        row.save()


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0067_answers_by_mail'),
    ]

    operations = [
        migrations.AddField(
            model_name='archivestatistics',
            name='choices',
            field=models.JSONField(default=dict, help_text='By field of a search: how many games there are of each choice that has any.'),
        ),
        migrations.RunPython(move_to_column, move_back),
    ]
