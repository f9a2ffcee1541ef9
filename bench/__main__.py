"""`python -m bench` measures everything, `python -m bench NAME...` the named modules."""

import pkgutil
import subprocess
import sys

import bench


def main() -> int:
    names = sys.argv[1:] or [module.name for module in pkgutil.iter_modules(bench.__path__)]
    failed = [name for name in names if not name.startswith("_") and run(name) != 0]
    if failed:
        print(f"Not measured: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def run(name: str) -> int:
    """The exit code of one module's `main`, run in a process of its own so that no figure disturbs another."""
    print(f"\n== {name} (python -m bench {name})", flush=True)
    return subprocess.run([sys.executable, "-c", f"import bench.{name} as it; it.main()"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
