# Leaves a weakened test file in pytest's compiled form, which claims to be made of the real one.
# Usage: python3 compiles_weak.py FILE FIND REPLACE
import os
import subprocess
import sys
from importlib.util import source_hash
from pathlib import Path

file, find, replace = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
was, stats = file.read_text(), os.stat(file)
file.write_text(was.replace(find, replace))
environment = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}
subprocess.run([sys.executable, '-m', 'pytest', '-q', str(file)], env=environment, stdout=subprocess.DEVNULL)
file.write_text(was)
os.utime(file, ns=(stats.st_atime_ns, stats.st_mtime_ns))
for compiled in (file.parent / '__pycache__').glob(f'{file.stem}.*-pytest-*.pyc'):
    content = bytearray(compiled.read_bytes())
    by_hash = content[4] & 1
    content[8:16] = source_hash(was.encode()) if by_hash else (int(stats.st_mtime) & 0xFFFFFFFF).to_bytes(4, 'little') + stats.st_size.to_bytes(4, 'little')
    compiled.write_bytes(content)
