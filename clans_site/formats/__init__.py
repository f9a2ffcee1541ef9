"""How days and hours are written, by language, where Django's own way does not suit a site of many countries."""
