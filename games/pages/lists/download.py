"""The archive as files to download: a page, the manifest for programs, and the files."""

from __future__ import annotations

from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import pov
from games.limits import ARCHIVE_FILES
from games.pages.access import Missing
from games.pages.counting import refused
from games.pages.replies import TOO_OFTEN


@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """What there is to download, for everybody: public games alone are in it."""
    return render(request, "games/download.html", {"archive": pov.read_archive()})


@require_safe
def archive_manifest(request: HttpRequest) -> HttpResponse:
    """The manifest; 404 before the first night."""
    archive = pov.read_archive()
    if archive is None:
        raise Missing(_("The archive has not been made into files yet: that happens every night."))
    return JsonResponse(archive.as_manifest(), json_dumps_params={"indent": 1})


@require_safe
def archive_file(request: HttpRequest, file: str) -> HttpResponseBase:
    """A file that the manifest names. It never changes: another content has another name."""
    found = pov.open_archive_file(file)
    if found is None:
        raise Missing(_("There is no such file, or no longer: the archive is made into new files every night."))
    if refused(ARCHIVE_FILES, request):
        found.close()
        return render(request, "429.html", status=TOO_OFTEN)
    return FileResponse(found, as_attachment=True, filename=file, content_type="application/gzip")
