"""English as it is read anywhere: the day before the month, and hours up to 24."""

DATE_FORMAT = "j F Y"
MONTH_DAY_FORMAT = "j F"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
# One day of the year written with slashes is another one in half of the world, so it is refused.
DATE_INPUT_FORMATS = ["%Y-%m-%d"]
