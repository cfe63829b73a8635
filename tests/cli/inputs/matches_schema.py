"""matches_schema.py SCHEMA FILE...: whether each JSON file is as this JSON schema says, and what is not."""

import json
import pathlib
import sys

# Debian's package, whichever python3 comes first.
sys.path.append("/usr/lib/python3/dist-packages")
import jsonschema  # noqa: E402

validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(sys.argv[1]).read_text()))
validator.check_schema(validator.schema)
failed = False
for path in sys.argv[2:]:
    for error in validator.iter_errors(json.loads(pathlib.Path(path).read_text())):
        failed = True
        print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
print(f"{validator.schema['title']}: {'does not match' if failed else f'{len(sys.argv) - 2} match'}")
sys.exit(1 if failed else 0)
