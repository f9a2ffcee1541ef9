from django.db import migrations, models


class Migration(migrations.Migration):
    """Every game so far was played on the first map by the first version of the rules; open tables had named no map."""

    dependencies = [
        ("games", "0018_deal_shares"),
    ]

    operations = [
        migrations.AddField(
            model_name="game",
            name="rules",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="The game is folded by it for ever.", verbose_name="version of the rules"
            ),
        ),
        migrations.AlterField(
            model_name="game",
            name="board",
            field=models.CharField(default="atlas-1", max_length=40, verbose_name="map"),
        ),
        migrations.RunSQL("UPDATE games_game SET board = 'atlas-1' WHERE board = ''", migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="game",
            constraint=models.CheckConstraint(
                condition=~models.Q(("board", "")) & models.Q(("rules__gte", 1)), name="game_names_map_and_rules"
            ),
        ),
    ]
