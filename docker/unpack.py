"""Takes files out of a wheel as data; nothing in it is run.

    unpack.py WHEEL FOLDER FROM=TO ...

FROM is a file or a folder ("a/b/") inside the wheel, TO its name under FOLDER.
File modes are those of the archive, without any write access for others.
"""

import os
import shutil
import sys
import zipfile


def main(wheel: str, folder: str, pairs: list[str]) -> None:
    with zipfile.ZipFile(wheel) as archive:
        entries = [e for e in archive.infolist() if not e.is_dir()]
        for pair in pairs:
            source, _, target = pair.partition("=")
            found = False
            for entry in entries:
                name = entry.filename
                if name != source and not (source.endswith("/") and name.startswith(source)):
                    continue
                if ".." in name.split("/"):
                    sys.exit(f"{name}: not a path to unpack")
                found = True
                path = os.path.join(folder, target + name[len(source):])
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with archive.open(entry) as data, open(path, "wb") as out:
                    shutil.copyfileobj(data, out, 1 << 20)
                mode = entry.external_attr >> 16
                os.chmod(path, 0o755 if mode & 0o100 else 0o644)
            if not found:
                sys.exit(f"{wheel} does not contain {source}")


try:
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
except (OSError, zipfile.BadZipFile) as error:
    sys.exit(f"error: cannot unpack {sys.argv[1]}: {error}")
