"""`python -m bench` measures everything, `python -m bench NAME...` the named modules."""

import pkgutil
import subprocess
import sys

import bench

ON_A_SITE = {"autoplay", "lighthouse", "mails", "pages", "phone", "ratings", "without"}
"""Modules that are imported where a new site is set up; the others make sites themselves, or need none."""
ALONE = "import bench.{name} as it; it.main()"
WITH_SITE = "from bench._here import measure_on_site; measure_on_site('{name}')"


def main() -> int:
    names = sys.argv[1:] or [module.name for module in pkgutil.iter_modules(bench.__path__)]
    failed = [name for name in names if not name.startswith("_") and run(name) != 0]
    if failed:
        print(f"Not measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run(name: str) -> int:
    """The exit code of one module's `main`, run in a process of its own so that no figure disturbs another."""
    print(f"\n== {name} (python -m bench {name})", flush=True)
    command = (WITH_SITE if name in ON_A_SITE else ALONE).format(name=name)
    return subprocess.run([sys.executable, "-c", command], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
