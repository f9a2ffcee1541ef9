import datetime
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.db.models.lookups
import django.utils.timezone
import games.models.game
import games.models.player
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    # A new site begins here; a site of before goes on from whatever it has of these.
    replaces = [
        ("games", "0001_initial"),
        ("games", "0002_player_wishes"),
        ("games", "0003_game_key"),
        ("games", "0004_seat_unfinished"),
        ("games", "0005_notebook"),
        ("games", "0006_clocks_and_mail"),
        ("games", "0007_clocks_begin"),
        ("games", "0008_player_reminds"),
        ("games", "0009_webhooks"),
        ("games", "0010_seat_finished"),
        ("games", "0011_notice_aside"),
        ("games", "0012_player_mail_again"),
        ("games", "0013_riders_by_partial_index"),
        ("games", "0014_awaited_by_partial_index"),
        ("games", "0015_game_follows"),
        ("games", "0016_closed_accounts"),
        ("games", "0017_notice_told"),
    ]

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(default=games.models.game.new_slug, editable=False, max_length=12, unique=True)),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('size', models.PositiveSmallIntegerField(verbose_name='seats')),
                ('five_clans', models.CharField(choices=[('score', 'a village of all five clans scores'), ('nothing', 'a village of all five clans scores nothing')], default='score', max_length=7, verbose_name='house rule')),
                ('is_public', models.BooleanField(default=True, verbose_name='public')),
                ('status', models.CharField(choices=[('open', 'open'), ('running', 'running'), ('finished', 'finished'), ('closed', 'closed')], default='open', max_length=8)),
                ('key', models.CharField(blank=True, help_text="The opener's key: sent twice, opened once.", max_length=64)),
                ('created_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('board', models.CharField(blank=True, max_length=40)),
                ('huts', models.CharField(blank=True, max_length=60)),
                ('first', models.PositiveSmallIntegerField(null=True)),
                ('ply', models.PositiveSmallIntegerField(default=0)),
                ('to_move', models.PositiveSmallIntegerField(null=True)),
                ('turn_since', models.DateTimeField(null=True)),
                ('end', models.CharField(blank=True, choices=[('villages', 'the twelfth village'), ('no-moves', 'no legal move'), ('abandoned', 'abandoned')], max_length=9)),
                ('move_hours', models.PositiveSmallIntegerField(default=72, verbose_name='hours for a move')),
                ('reserve_hours', models.PositiveSmallIntegerField(default=168, verbose_name='hours in reserve')),
                ('allows_vacation', models.BooleanField(default=True, verbose_name='vacations stop the clock')),
                ('overdue', models.CharField(choices=[('autopilot', 'the autopilot plays the move'), ('abandon', 'the game is abandoned')], default='autopilot', max_length=9, verbose_name='when time runs out')),
                ('free_until', models.DateTimeField(help_text='When the turn begins to draw on the reserve.', null=True)),
                ('due_at', models.DateTimeField(help_text='When the turn is over, or the open table.', null=True)),
                ('clock_set_at', models.DateTimeField(help_text='When these two were last set.', null=True)),
                ('remind_at', models.DateTimeField(help_text='When the next reminder is owed.', null=True)),
                ('reminded', models.PositiveSmallIntegerField(default=0, help_text='Reminders owed in this turn so far.')),
                ('edition', models.PositiveSmallIntegerField(default=0, help_text='Moves withdrawn so far: plies that were played anew.')),
            ],
            options={
                'verbose_name': 'game',
                'verbose_name_plural': 'games',
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='As the deal and the record name it.', max_length=150)),
                ('is_bot', models.BooleanField(default=False, help_text='A computer player moves for this seat.')),
                ('resigned_at', models.DateTimeField(null=True)),
                ('joined', models.PositiveSmallIntegerField(help_text='Place in the order of joining.')),
                ('number', models.PositiveSmallIntegerField(help_text='Place in the order of play, once started.', null=True)),
                ('entropy', models.CharField(blank=True, max_length=200)),
                ('clan', models.CharField(blank=True, choices=[('red', 'red'), ('blue', 'blue'), ('green', 'green'), ('yellow', 'yellow'), ('black', 'black')], max_length=6)),
                ('agrees_to_abandon', models.BooleanField(default=False)),
                ('has_note', models.BooleanField(default=False, help_text='So that nothing is asked for where there is none.')),
                ('has_sheet', models.BooleanField(default=False)),
                ('mail_mode', models.CharField(blank=True, choices=[('every', 'every turn'), ('once', 'one mail until I visit'), ('digest', 'a digest at my hours'), ('reminders', 'reminders only'), ('nothing', 'nothing')], help_text='Empty: the player’s own.', max_length=9)),
                ('seen_ply', models.PositiveSmallIntegerField(help_text='How far the player has seen the game.', null=True)),
                ('seen_at', models.DateTimeField(null=True)),
                ('reserve_used', models.DurationField(default=datetime.timedelta, help_text='Of the table’s reserve, in turns that are over.')),
                ('reserve_taken', models.DurationField(default=datetime.timedelta, help_text='Of the reserve, for the turn that runs.')),
                ('says', models.CharField(blank=True, choices=[('tonight', 'will play tonight'), ('thinking', 'is thinking')], help_text='What the others are told meanwhile.', max_length=8)),
                ('says_at', models.DateTimeField(null=True)),
                ('nudged_at', models.DateTimeField(null=True)),
                ('autopiloted', models.PositiveSmallIntegerField(default=0, help_text='Moves in a row that the autopilot made.')),
                ('has_withdrawn', models.BooleanField(default=False, help_text='A move of the autopilot; once a game.')),
                ('chips', models.PositiveSmallIntegerField(null=True)),
                ('total', models.PositiveSmallIntegerField(null=True)),
                ('rank', models.PositiveSmallIntegerField(null=True)),
                ('ended_at', models.DateTimeField(help_text='As the game’s; here an index finds a player’s last ones.', null=True)),
            ],
            options={
                'verbose_name': 'seat',
                'verbose_name_plural': 'seats',
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('email', models.EmailField(max_length=254, unique=True, verbose_name='e-mail address')),
                ('time_zone', models.CharField(default='UTC', max_length=64, validators=[games.models.player.check_time_zone], verbose_name='time zone')),
                ('language', models.CharField(choices=[('en', 'English')], default='en', max_length=10, verbose_name='language')),
                ('mail_mode', models.CharField(choices=[('every', 'every turn'), ('once', 'one mail until I visit'), ('digest', 'a digest at my hours'), ('reminders', 'reminders only'), ('nothing', 'nothing')], default='every', max_length=9, verbose_name='mail')),
                ('reminds', models.BooleanField(default=True, verbose_name='reminders and nudges')),
                ('digest_hours', models.CharField(default='7,18', max_length=60, validators=[games.models.player.check_hours], verbose_name='hours of the digest')),
                ('quiet_from', models.TimeField(blank=True, null=True, verbose_name='quiet from')),
                ('quiet_until', models.TimeField(blank=True, null=True, verbose_name='quiet until')),
                ('days_off', models.CharField(blank=True, help_text='Digits, 0 is Monday.', max_length=7, verbose_name='days off')),
                ('vacation_until', models.DateTimeField(blank=True, help_text='When the last planned vacation ends.', null=True)),
                ('visited_at', models.DateTimeField(blank=True, help_text='When a page was last in sight.', null=True)),
                ('mail_bounced_at', models.DateTimeField(blank=True, help_text='Since when the address takes no mail.', null=True)),
                ('mail_bounce', models.CharField(blank=True, max_length=200)),
                ('mail_again_at', models.DateTimeField(blank=True, help_text='When the player last said that the address takes mail.', null=True)),
                ('feed_key', models.CharField(blank=True, help_text='The secret address of the feeds.', max_length=43, null=True, unique=True)),
                ('closed_at', models.DateTimeField(blank=True, help_text='When the player left for good.', null=True, verbose_name='closed')),
                ('is_leaving', models.BooleanField(default=False, help_text='Closed, but not yet gone from all tables.')),
                ('has_webhooks', models.BooleanField(default=False, help_text='So that nothing is asked for where there is none.')),
                ('confirms_moves', models.BooleanField(default=True, verbose_name='confirm each move')),
                ('goes_on', models.BooleanField(default=False, verbose_name='go on to the next table')),
                ('sees_motion', models.BooleanField(default=True, verbose_name='show moves in motion')),
                ('white_clan', models.BooleanField(default=False, verbose_name='white huts instead of black ones')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
            },
            managers=[
                ('objects', games.models.player.PlayerManager()),
            ],
        ),
        migrations.CreateModel(
            name='Deal',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='deal', serialize=False, to='games.game')),
                ('seed', models.BinaryField(max_length=32)),
                ('commitment', models.CharField(help_text='SHA-256 of the seed, shown from the start.', max_length=64)),
                ('version', models.CharField(max_length=20)),
            ],
            options={
                'verbose_name': 'deal',
                'verbose_name_plural': 'deals',
            },
        ),
        migrations.AddField(
            model_name='game',
            name='awaited',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='awaiting_games', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='game',
            name='follows',
            field=models.ForeignKey(db_index=False, help_text='The finished game whose players this table asks to play again.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followed_by', to='games.game'),
        ),
        migrations.AddField(
            model_name='game',
            name='opener',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='opened_games', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Move',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ply', models.PositiveSmallIntegerField(help_text='Moves played before this one.')),
                ('seat', models.PositiveSmallIntegerField(help_text='Number of the seat that moved.')),
                ('text', models.CharField(help_text='The move in notation, such as C4-D1.', max_length=40)),
                ('by_bot', models.BooleanField(default=False)),
                ('by_autopilot', models.BooleanField(default=False, help_text='Its player’s time had run out.')),
                ('key', models.CharField(help_text="The sender's key: sent twice, played once.", max_length=64)),
                ('at', models.DateTimeField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='games.game')),
            ],
            options={
                'verbose_name': 'move',
                'verbose_name_plural': 'moves',
                'ordering': ('game', 'ply'),
            },
        ),
        migrations.CreateModel(
            name='Note',
            fields=[
                ('seat', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='note', serialize=False, to='games.seat')),
                ('text', models.TextField()),
                ('updated_at', models.DateTimeField()),
            ],
            options={
                'verbose_name': 'note',
                'verbose_name_plural': 'notes',
            },
        ),
        migrations.AddField(
            model_name='seat',
            name='game',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.game'),
        ),
        migrations.AddField(
            model_name='seat',
            name='player',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('started', 'started'), ('turn', 'your turn'), ('finished', 'finished'), ('reminder', 'reminder'), ('nudge', 'nudge'), ('autopilot', 'the autopilot has moved'), ('expired', 'the open table was closed'), ('bounced', 'a fellow player’s mail bounces'), ('test', 'test')], max_length=9)),
                ('ply', models.PositiveSmallIntegerField(help_text='Moves played when it was owed.')),
                ('number', models.PositiveSmallIntegerField(default=0, help_text='Which of its kind at that ply.')),
                ('state', models.CharField(choices=[('due', 'due'), ('claimed', 'claimed'), ('sent', 'sent'), ('superseded', 'superseded'), ('quarantined', 'quarantined')], default='due', max_length=11)),
                ('about', models.PositiveSmallIntegerField(help_text='Seat of the fellow player whom it is about.', null=True)),
                ('reason', models.CharField(blank=True, choices=[('presence', 'waiting in case you are at the table'), ('quiet', 'held until your quiet hours are over'), ('digest', 'waiting for your digest'), ('retry', 'to be tried again'), ('seen', 'you had seen it at the table'), ('past', 'the game had moved on'), ('visit', 'you had a mail since your last visit'), ('unwanted', 'you want no such mail'), ('bounced', 'your address takes no mail')], max_length=8)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('crashes', models.PositiveSmallIntegerField(default=0, help_text='Leases that ran out: its sender may have died.')),
                ('claim', models.CharField(blank=True, help_text='The token of who holds the lease.', max_length=32)),
                ('lease_until', models.DateTimeField(null=True)),
                ('message_id', models.CharField(max_length=200, unique=True)),
                ('dated_at', models.DateTimeField(help_text='The date of the mail: its first attempt.', null=True)),
                ('told', models.JSONField(help_text='How the tables stood of which a mail that carries others tells, to make it again.', null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('error', models.CharField(blank=True, max_length=300)),
                ('carrier', models.ForeignKey(db_index=False, help_text='Whose mail carries it too.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='riders', to='games.notice')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='games.seat')),
            ],
            options={
                'verbose_name': 'notice',
                'verbose_name_plural': 'notices',
            },
        ),
        migrations.CreateModel(
            name='Suspicion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('about', models.PositiveSmallIntegerField(help_text='Number of the seat that it is about.')),
                ('clan', models.CharField(choices=[('red', 'red'), ('blue', 'blue'), ('green', 'green'), ('yellow', 'yellow'), ('black', 'black')], max_length=6)),
                ('mark', models.CharField(choices=[('possible', 'possible'), ('suspected', 'suspected'), ('excluded', 'excluded')], max_length=9)),
                ('ply', models.PositiveSmallIntegerField(help_text='Moves played before it was marked.')),
                ('at', models.DateTimeField()),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='suspicions', to='games.seat')),
            ],
            options={
                'verbose_name': 'suspicion',
                'verbose_name_plural': 'suspicions',
            },
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('starts_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('days', models.PositiveSmallIntegerField(help_text='Taken from the year’s budget.')),
                ('created_at', models.DateTimeField()),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'vacation',
                'verbose_name_plural': 'vacations',
                'ordering': ('starts_at',),
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('discord', 'Discord'), ('slack', 'Slack'), ('json', 'JSON, signed')], max_length=7, verbose_name='kind')),
                ('url', models.CharField(max_length=500, verbose_name='address')),
                ('secret', models.CharField(blank=True, help_text='What calls are signed with; JSON alone.', max_length=43)),
                ('is_on', models.BooleanField(default=True, verbose_name='on')),
                ('created_at', models.DateTimeField()),
                ('said_at', models.DateTimeField(help_text='When it was last called.', null=True)),
                ('status', models.PositiveSmallIntegerField(help_text='The HTTP status of that call, if any came.', null=True)),
                ('trouble', models.CharField(blank=True, choices=[('address', 'that is not an address on the public net'), ('name', 'there is no host of that name'), ('away', 'the host takes no connection'), ('tls', 'the host’s certificate is not valid'), ('slow', 'the host did not answer in time'), ('garbled', 'what answered does not speak HTTP'), ('redirect', 'the address leads elsewhere, and we do not follow'), ('refused', 'the host refused'), ('gone', 'the host says that this address is no more')], max_length=8)),
                ('failures', models.PositiveIntegerField(default=0, help_text='Calls in a row that came to nothing.')),
                ('failing_since', models.DateTimeField(null=True)),
                ('tested_at', models.DateTimeField(null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'webhook',
                'verbose_name_plural': 'webhooks',
                'ordering': ('pk',),
            },
        ),
        migrations.CreateModel(
            name='WebhookCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('started', 'started'), ('turn', 'your turn'), ('finished', 'finished'), ('reminder', 'reminder'), ('nudge', 'nudge'), ('autopilot', 'the autopilot has moved'), ('expired', 'the open table was closed'), ('bounced', 'a fellow player’s mail bounces'), ('test', 'test')], max_length=9)),
                ('ply', models.PositiveSmallIntegerField()),
                ('number', models.PositiveSmallIntegerField(default=0)),
                ('state', models.CharField(choices=[('due', 'due'), ('claimed', 'claimed'), ('sent', 'sent'), ('superseded', 'superseded'), ('failed', 'failed')], default='due', max_length=10)),
                ('created_at', models.DateTimeField()),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('claim', models.CharField(blank=True, help_text='The token of who holds the lease.', max_length=32)),
                ('lease_until', models.DateTimeField(null=True)),
                ('hook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='games.webhook')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='games.seat')),
            ],
            options={
                'verbose_name': 'call of a webhook',
                'verbose_name_plural': 'calls of webhooks',
            },
        ),
        migrations.AddIndex(
            model_name='player',
            index=models.Index(condition=models.Q(('is_leaving', True)), fields=['id'], name='player_leaving'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='player_username_any_case_unique'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='player_email_lower_case'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(('mail_mode__in', ['every', 'once', 'digest', 'reminders', 'nothing'])), name='player_mail_mode_known'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('quiet_from__isnull', True), ('quiet_until__isnull', True)), models.Q(('quiet_from__isnull', False), ('quiet_until__isnull', False)), _connector='OR'), name='player_quiet_from_and_until'),
        ),
        migrations.AddConstraint(
            model_name='player',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('is_leaving', False)), models.Q(('closed_at__isnull', False), ('is_active', False)), _connector='OR'), name='player_closed_is_shut_out'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('awaited__isnull', False)), fields=['awaited', 'turn_since'], name='game_awaited'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('is_public', True), ('status', 'open')), fields=['-id'], name='game_open_public'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('is_public', True), ('status', 'finished')), fields=['-ended_at', '-id'], name='game_archive'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('awaited__isnull', True), ('status', 'running')), fields=['turn_since'], name='game_bot_to_move'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('due_at__isnull', False)), fields=['due_at'], name='game_due'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('follows__isnull', False)), fields=['follows'], name='game_follows'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('remind_at__isnull', False)), fields=['remind_at'], name='game_remind'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('opener', 'key'), name='game_key_unique'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('size__range', (2, 4))), name='game_size_2_to_4'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='game_has_a_name'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ('open', 'running', 'finished', 'closed'))), name='game_status_known'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('five_clans__in', ('score', 'nothing'))), name='game_five_clans_known'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'running'), ('to_move__isnull', False), ('turn_since__isnull', False)), models.Q(models.Q(('status', 'running'), _negated=True), ('awaited__isnull', True), ('to_move__isnull', True), ('turn_since__isnull', True)), _connector='OR'), name='game_turn_exactly_while_running'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('first__isnull', True), ('huts', ''), ('started_at__isnull', True), ('status__in', ('open', 'closed'))), models.Q(('first__range', (0, 3)), ('started_at__isnull', False), ('status__in', ('running', 'finished')), models.Q(('huts', ''), _negated=True)), _connector='OR'), name='game_opening_exactly_once_started'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('end__in', ('villages', 'no-moves', 'abandoned')), ('ended_at__isnull', False), ('status', 'finished')), models.Q(models.Q(('status', 'finished'), _negated=True), ('end', '')), _connector='OR'), name='game_end_exactly_when_finished'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('move_hours__range', (12, 336)), ('reserve_hours__range', (0, 720))), name='game_pace_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('overdue__in', ('autopilot', 'abandon'))), name='game_overdue_known'),
        ),
        migrations.AddConstraint(
            model_name='move',
            constraint=models.UniqueConstraint(fields=('game', 'ply'), name='move_ply_unique'),
        ),
        migrations.AddConstraint(
            model_name='move',
            constraint=models.UniqueConstraint(fields=('game', 'seat', 'key'), name='move_key_unique'),
        ),
        migrations.AddConstraint(
            model_name='move',
            constraint=models.CheckConstraint(condition=models.Q(('ply__range', (0, 59))), name='move_ply_0_to_59'),
        ),
        migrations.AddConstraint(
            model_name='move',
            constraint=models.CheckConstraint(condition=models.Q(('seat__range', (0, 3))), name='move_seat_0_to_3'),
        ),
        migrations.AddConstraint(
            model_name='note',
            constraint=models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='note_says_something'),
        ),
        migrations.AddConstraint(
            model_name='note',
            constraint=models.CheckConstraint(condition=django.db.models.lookups.LessThanOrEqual(django.db.models.functions.text.Length('text'), 4000), name='note_not_too_long'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('total__isnull', True)), fields=['player'], name='seat_unfinished'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['player', '-ended_at', '-game'], name='seat_finished'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'joined'), name='seat_joined_unique'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='seat_number_unique'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'player'), name='seat_player_once_a_game'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(condition=models.Q(('clan', ''), _negated=True), fields=('game', 'clan'), name='seat_clan_unique'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('joined__range', (0, 3))), name='seat_joined_0_to_3'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('number__isnull', True), ('number__range', (0, 3)), _connector='OR'), name='seat_number_0_to_3'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('clan__in', ('', 'red', 'blue', 'green', 'yellow', 'black'))), name='seat_clan_known'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('clan', ''), ('number__isnull', True)), models.Q(models.Q(('clan', ''), _negated=True), ('number__isnull', False)), _connector='OR'), name='seat_dealt_at_once'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('player__isnull', False), ('is_bot', True), _connector='OR'), name='seat_has_somebody'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('resigned_at__isnull', True), models.Q(('is_bot', True), ('player__isnull', False)), _connector='OR'), name='seat_resigned_is_played_by_bot'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('mail_mode__in', ('', 'every', 'once', 'digest', 'reminders', 'nothing'))), name='seat_mail_mode_known'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(('says__in', ('', 'tonight', 'thinking'))), name='seat_says_known'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('state', 'due')), fields=['due_at', 'id'], name='notice_due'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('state', 'quarantined')), fields=['due_at'], name='notice_aside'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('state', 'claimed')), fields=['lease_until'], name='notice_leased'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('carrier__isnull', False)), fields=['carrier'], name='notice_rides'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('seat', 'kind', 'ply', 'number'), name='notice_owed_once'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('started', 'turn', 'finished', 'reminder', 'nudge', 'autopilot', 'expired', 'bounced', 'test'))), name='notice_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ('due', 'claimed', 'sent', 'superseded', 'quarantined'))), name='notice_state_known'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'claimed')), models.Q(models.Q(('state', 'claimed'), _negated=True), ('claim', ''), ('lease_until__isnull', True)), _connector='OR'), name='notice_leased_exactly_while_claimed'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('sent_at__isnull', False), ('state', 'sent')), models.Q(models.Q(('state', 'sent'), _negated=True), ('sent_at__isnull', True)), _connector='OR'), name='notice_stamped_exactly_when_sent'),
        ),
        migrations.AddConstraint(
            model_name='suspicion',
            constraint=models.CheckConstraint(condition=models.Q(('about__range', (0, 3))), name='suspicion_about_0_to_3'),
        ),
        migrations.AddConstraint(
            model_name='suspicion',
            constraint=models.CheckConstraint(condition=models.Q(('clan__in', ('red', 'blue', 'green', 'yellow', 'black'))), name='suspicion_clan_known'),
        ),
        migrations.AddConstraint(
            model_name='suspicion',
            constraint=models.CheckConstraint(condition=models.Q(('mark__in', ('possible', 'suspected', 'excluded'))), name='suspicion_mark_known'),
        ),
        migrations.AddConstraint(
            model_name='suspicion',
            constraint=models.CheckConstraint(condition=models.Q(('ply__range', (0, 60))), name='suspicion_ply_0_to_60'),
        ),
        migrations.AddIndex(
            model_name='vacation',
            index=models.Index(fields=['player', 'ends_at'], name='vacation_of_player'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('starts_at'))), name='vacation_begins_first'),
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.UniqueConstraint(fields=('player', 'url'), name='webhook_once_a_player'),
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ('discord', 'slack', 'json'))), name='webhook_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind', 'json'), models.Q(('secret', ''), _negated=True)), models.Q(models.Q(('kind', 'json'), _negated=True), ('secret', '')), _connector='OR'), name='webhook_secret_exactly_for_json'),
        ),
        migrations.AddIndex(
            model_name='webhookcall',
            index=models.Index(condition=models.Q(('state', 'due')), fields=['due_at', 'id'], name='webhook_call_due'),
        ),
        migrations.AddIndex(
            model_name='webhookcall',
            index=models.Index(condition=models.Q(('state', 'claimed')), fields=['lease_until'], name='webhook_call_leased'),
        ),
        migrations.AddConstraint(
            model_name='webhookcall',
            constraint=models.UniqueConstraint(fields=('hook', 'seat', 'kind', 'ply', 'number'), name='webhook_call_owed_once'),
        ),
        migrations.AddConstraint(
            model_name='webhookcall',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ('due', 'claimed', 'sent', 'superseded', 'failed'))), name='webhook_call_state_known'),
        ),
        migrations.AddConstraint(
            model_name='webhookcall',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'claimed')), models.Q(models.Q(('state', 'claimed'), _negated=True), ('claim', ''), ('lease_until__isnull', True)), _connector='OR'), name='webhook_call_leased_exactly_while_claimed'),
        ),
    ]
