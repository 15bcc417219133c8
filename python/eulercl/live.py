# SPDX-License-Identifier: BSD-2-Clause
"""python -m eulercl.live: live views in a browser."""
import sys

from eulercl import live
from eulercl._live_command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
sys.modules[__name__] = live  # `import eulercl.live` does not hide the function
