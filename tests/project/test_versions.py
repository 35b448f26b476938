"""Which version of a distribution a project uses, from what its files say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flowlint.check import Options, check
from flowlint.dialects.surroundings import NEWEST_OF_SERIES, shown
from flowlint.project import version_files, versions
from flowlint.project.files import ProjectFiles
from flowlint.project.version_ranges import ranges_of, version_of
from flowlint.project.versions import ProjectVersions

NEWEST = NEWEST_OF_SERIES

LOCK = """
version = 1

[[package]]
name = "langgraph-checkpoint"
version = "2.1.2"
dependencies = [
    { name = "langgraph" },
]

[[package]]
name = "langgraph"
version = "0.6.11"
source = { registry = "https://pypi.org/simple" }
wheels = [
    { url = "https://example.org/langgraph-0.6.11.whl", hash = "sha256:1" },
]

[package.optional-dependencies]
all = [{ name = "langgraph-checkpoint" }]

[[package]]
name = "langgraph-sdk"
version = "0.2.15"
"""


def used(folder: Path, module: str = "flow.py", root: Path | None = None) -> object:
    """The version that a module uses."""
    return ProjectVersions(ProjectFiles()).of(
        "langgraph", str(folder / module), str(root or folder)
    )


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("uv.lock", LOCK, (0, 6, 11)),
        ("poetry.lock", LOCK, (0, 6, 11)),
        ("pdm.lock", LOCK, (0, 6, 11)),
        ("pylock.toml", LOCK.replace("[[package]]", "[[packages]]"), (0, 6, 11)),
        (
            "Pipfile.lock",
            json.dumps({"default": {"langgraph": {"version": "==0.2.76"}, "other": {}}}),
            (0, 2, 76),
        ),
        ("Pipfile.lock", json.dumps({"develop": {"langgraph": {"version": "==0.2.7"}}}), (0, 2, 7)),
        ("Pipfile", '[packages]\nlanggraph = "==0.2.76"\n', (0, 2, 76)),
        ("requirements.txt", "langgraph==0.2.76\n", (0, 2, 76)),
        ("requirements-dev.txt", "langgraph == 0.2.76 # why\n", (0, 2, 76)),
        ("requirements.lock", "langgraph==0.2.76\n", (0, 2, 76)),
        (
            "requirements.txt",
            "langgraph-checkpoint==2.0\nLang_Graph==9\n"
            "LangGraph[all]==0.2.76 ; python_version < '3.12' --hash=sha256:1\n",
            (0, 2, 76),
        ),
        ("requirements.txt", "langgraph==0.2.76 \\\n    --hash=sha256:1\n", (0, 2, 76)),
        ("pyproject.toml", '[project]\ndependencies = ["langgraph==0.4.8"]\n', (0, 4, 8)),
        (
            "pyproject.toml",
            '[project.optional-dependencies]\nagents = ["langgraph==0.4.8"]\n',
            (0, 4, 8),
        ),
        (
            "pyproject.toml",
            '[dependency-groups]\ndev = [{include-group = "x"}, "langgraph==0.4.8"]\n',
            (0, 4, 8),
        ),
        (
            "pyproject.toml",
            'project.dependencies = [\n"x",\n"langgraph==0.4.8"]\n[tool.y]\na = [\n[1],\n[2]]\n',
            (0, 4, 8),
        ),
        (
            "pyproject.toml",
            '[tool.y]\na = [\n["langgraph"],\n[2]]\n'
            '[project]\ndependencies = ["langgraph==0.4.8"]\n',
            (0, 4, 8),
        ),
        ("pyproject.toml", '[tool.uv]\noverride-dependencies = ["langgraph==0.4.8"]\n', (0, 4, 8)),
        ("pyproject.toml", '[tool.pdm.dev-dependencies]\nt = ["langgraph==0.4.8"]\n', (0, 4, 8)),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\nlanggraph = "^0.5.0"\n',
            (0, 5, NEWEST),
        ),
        (
            "pyproject.toml",
            '[tool.poetry.group.dev.dependencies]\nlanggraph = {version = "0.3.34"}\n',
            (0, 3, 34),
        ),
        (
            "pyproject.toml",
            "[tool.poetry.dependencies]\n"
            'langgraph = [{version = "~0.2.3", python = "<3.10"}, {version = "~0.3.1"}]\n',
            (0, 3, NEWEST),
        ),
        (
            "setup.cfg",
            "[options]\ninstall_requires =\n    requests\n    langgraph==0.2.76\n",
            (0, 2, 76),
        ),
        (
            "setup.cfg",
            "[options.extras_require]\nagents =\n    langgraph~=0.2.76\n",
            (0, 2, NEWEST),
        ),
    ],
)
def test_every_kind_of_file(tmp_path: Path, file: str, text: str, version: object) -> None:
    assert used(write(tmp_path, {file: text})) == version
    # The version belongs to this distribution and not to those that are called like it.
    others = text.replace("0.6.11", "").replace('"langgraph"', '"langgraph-x"')
    others = others.replace("langgraph=", "langgraph-x=").replace("langgraph~", "langgraph-x~")
    others = others.replace("langgraph ", "langgraph-x ").replace("LangGraph", "LangGraph-x")
    assert used(write(tmp_path, {file: others})) is None


def manifest(asked: object, section: str = "dependencies") -> str:
    return json.dumps({"name": "flows", section: {"@scope/flows": asked, "@scope/flows-x": "^9"}})


NPM_LOCK = {
    "packages": {
        "": {"dependencies": {"@scope/flows": "^0.19.0"}},
        "node_modules/@scope/flows": {"version": "0.19.1", "resolved": "https://example.org/"},
        "node_modules/@scope/flows-x": {"version": "9.0.0"},
        "node_modules/other/node_modules/@scope/flows": {"version": "8.0.0"},
    }
}


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("package.json", manifest("0.19.1"), (0, 19, 1)),
        ("package.json", manifest("=0.19.1"), (0, 19, 1)),
        ("package.json", manifest("^0.19.0"), (0, 19, NEWEST)),
        ("package.json", manifest("~1.2.3"), (1, 2, NEWEST)),
        ("package.json", manifest(">=0.5 <0.20"), (0, 19, NEWEST)),
        ("package.json", manifest(">= 0.5 < 0.20"), (0, 19, NEWEST)),
        ("package.json", manifest("0.5.0 - 0.19.1"), (0, 19, 1, 0, NEWEST)),
        ("package.json", manifest("^0.18.0 || ^0.19.0"), (0, 19, NEWEST)),
        ("package.json", manifest("0.19"), (0, 19, NEWEST)),
        ("package.json", manifest("1.x"), (1, NEWEST)),
        ("package.json", manifest("1.2.x"), (1, 2, NEWEST)),
        ("package.json", manifest(">=0.19"), None),
        ("package.json", manifest("*"), None),
        ("package.json", manifest("latest"), None),
        ("package.json", manifest("workspace:*"), None),
        ("package.json", manifest("workspace:^"), None),
        ("package.json", manifest("workspace:^0.19.0"), (0, 19, NEWEST)),
        ("package.json", manifest("npm:flows@0.19.1"), (0, 19, 1)),
        ("package.json", manifest("npm:@other/flows@^0.19.0"), (0, 19, NEWEST)),
        ("package.json", manifest("file:../flows"), None),
        ("package.json", manifest("catalog:"), None),
        ("package.json", manifest("github:someone/flows#v1"), None),
        ("package.json", manifest("^0.19.0", "devDependencies"), (0, 19, NEWEST)),
        ("package.json", manifest("^0.19.0", "peerDependencies"), (0, 19, NEWEST)),
        ("package.json", manifest({"version": "1"}), None),
        ("package.json", '{"dependencies": {"@scope/flows": "1.0.0"', None),
        ("package.json", '["@scope/flows"]', None),
        ("package-lock.json", json.dumps(NPM_LOCK, indent=2), (0, 19, 1)),
        ("package-lock.json", json.dumps(NPM_LOCK), (0, 19, 1)),
        (
            "package-lock.json",
            json.dumps({"dependencies": {"@scope/flows": {"version": "0.18.0"}}}, indent=1),
            (0, 18, 0),
        ),
        (
            "pnpm-lock.yaml",
            "packages:\n\n  '@scope/flows-x@9.0.0':\n    x: y\n  '@scope/flows@0.19.1(zod@4)':\n",
            (0, 19, 1),
        ),
        ("pnpm-lock.yaml", "packages:\n  /@scope/flows/0.18.0:\n    dev: true\n", (0, 18, 0)),
        (
            "yarn.lock",
            '"@scope/flows-x@^9":\n  version "9.0.0"\n\n'
            '"@scope/flows@^0.19.0":\n  version "0.19.1"\n',
            (0, 19, 1),
        ),
        (
            "yarn.lock",
            '"@scope/flows@npm:^0.19.0":\n  version: 0.19.1\n  resolution: "x"\n',
            (0, 19, 1),
        ),
        (
            "bun.lock",
            '{\n  "packages": {\n    "@scope/flows": ["@scope/flows@0.19.1", "", {}],\n  }\n}\n',
            (0, 19, 1),
        ),
    ],
)
def test_files_of_javascript_projects(
    tmp_path: Path, file: str, text: str, version: object
) -> None:
    write(tmp_path, {file: text})
    found = ProjectVersions(ProjectFiles()).of(
        "@scope/flows", str(tmp_path / "a.flow.ts"), str(tmp_path)
    )
    assert found == version


def test_a_lock_says_more_than_a_manifest(tmp_path: Path) -> None:
    write(
        tmp_path, {"package.json": manifest("^0.19.0"), "package-lock.json": json.dumps(NPM_LOCK)}
    )
    found = ProjectVersions(ProjectFiles()).of(
        "@scope/flows", str(tmp_path / "a.flow.ts"), str(tmp_path)
    )
    assert found == (0, 19, 1)


@pytest.mark.parametrize(
    ("asked", "newest"),
    [
        ("", None),
        ("*", None),
        (">=0.2", None),
        (">0.2", None),
        ("!=0.3", None),
        (">=0.2,<0.3", (0, 2, NEWEST)),
        ("<1", (0, NEWEST)),
        ("<1.0.0", (0, NEWEST)),
        ("<1.0.6", (1, 0, 5, NEWEST)),
        ("<=0.6.11", (0, 6, 11, 0, NEWEST)),
        (">=0.2,<2,<0.4", (0, 3, NEWEST)),
        ("~=0.2.5", (0, 2, NEWEST)),
        ("~=0.2", (0, NEWEST)),
        ("==0.2.*", (0, 2, NEWEST)),
        ("0.2.*", (0, 2, NEWEST)),
        ("^0.2.5", (0, 2, NEWEST)),
        ("^1.2", (1, NEWEST)),
        ("^0.0.3", (0, 0, 3, NEWEST)),
        ("~1.2.3", (1, 2, NEWEST)),
        ("0.2.5", (0, 2, 5)),
        ("==0.2.5", (0, 2, 5)),
        ("=0.2.5", (0, 2, 5)),
        ("===0.2.5", (0, 2, 5)),
        ("(>=0.2,<0.3)", (0, 2, NEWEST)),
        ("==1.0.10rc1", (1, 0, 10)),
    ],
)
def test_newest_that_is_asked_for(asked: str, newest: object) -> None:
    assert [one.newest for one in ranges_of(asked)] == [newest]


@pytest.mark.parametrize("asked", ["latest", ">=", "==x", ">=0.2 0.3", "@ git+https://x@v0.2"])
def test_what_tells_no_version(asked: str) -> None:
    assert ranges_of(asked) == []


def test_alternatives_are_each_a_range() -> None:
    assert [one.newest for one in ranges_of("^0.2 || ^0.4.1")] == [(0, 2, NEWEST), (0, 4, NEWEST)]


def test_zeros_at_the_end_do_not_count() -> None:
    (asked,) = ranges_of(">=1.0,<1.2.0")
    assert asked.allows((1,))
    assert asked.allows((1, 1, 9))
    assert not asked.allows((1, 2))
    assert not asked.allows((0, 9))
    (exact,) = ranges_of("==1.0")
    assert exact.allows((1, 0, 0))
    assert not exact.allows((1, 0, 1))


def test_a_version_is_shown_as_it_is_written() -> None:
    assert version_of("v1.2.3.dev1") == (1, 2, 3)
    assert shown((0, 2, 76)) == "0.2.76"
    assert shown((0, 2, NEWEST)) == "0.2"


class TestWhereItIsLookedFor:
    def test_the_nearest_folder_counts(self, tmp_path: Path) -> None:
        files = {"requirements.txt": "langgraph==1.0.1", "a/requirements.txt": "langgraph==0.2.1"}
        write(tmp_path, files)
        assert used(tmp_path, "a/b/flow.py") == (0, 2, 1)
        assert used(tmp_path, "c/flow.py") == (1, 0, 1)

    def test_a_folder_that_says_nothing_is_passed(self, tmp_path: Path) -> None:
        files = {"requirements.txt": "langgraph==1.0.1", "a/requirements.txt": "langgraph-sdk==2"}
        assert used(write(tmp_path, files), "a/flow.py") == (1, 0, 1)

    def test_nothing_above_the_root_counts(self, tmp_path: Path) -> None:
        write(tmp_path, {"requirements.txt": "langgraph==1.0.1", "uv.lock": LOCK})
        assert used(tmp_path / "a", root=tmp_path / "a") is None

    def test_the_lock_of_the_repository_is_that_of_its_parts(self, tmp_path: Path) -> None:
        asked = '[project]\ndependencies = ["langgraph>=0.5,<1"]\n'
        write(tmp_path, {"a/b/pyproject.toml": asked, "uv.lock": LOCK})
        part = tmp_path / "a" / "b"
        assert used(part) == (0, NEWEST)
        (tmp_path / ".git").mkdir()
        assert used(part) == (0, 6, 11)
        # What the repository asks for beside its lock is for something else.
        write(tmp_path, {"uv.lock": "", "requirements.txt": "langgraph==0.6.1"})
        assert used(part) == (0, NEWEST)
        # A part that does not ask for it is none of what is locked.
        write(part, {"pyproject.toml": "[project]\n"})
        write(tmp_path, {"uv.lock": LOCK})
        assert used(part) is None

    def test_what_is_locked_is_more_than_what_is_asked_for(self, tmp_path: Path) -> None:
        asked = '[project]\ndependencies = ["langgraph>=0.2"]\n'
        assert used(write(tmp_path, {"pyproject.toml": asked})) is None
        assert used(write(tmp_path, {"uv.lock": LOCK})) == (0, 6, 11)

    def test_a_lock_that_breaks_what_is_asked_for_is_out_of_date(self, tmp_path: Path) -> None:
        asked = '[project]\ndependencies = ["langgraph>=1.0,<1.1"]\n'
        files = {"pyproject.toml": asked, "uv.lock": LOCK}
        assert used(write(tmp_path, files)) == (1, 0, NEWEST)

    def test_of_several_the_newest_counts(self, tmp_path: Path) -> None:
        listed = "langgraph==0.2.1; python_version<'3.10'\nlanggraph==0.4.1\n"
        assert used(write(tmp_path, {"requirements.txt": listed})) == (0, 4, 1)
        listed = "langgraph<0.3; python_version<'3.10'\nlanggraph>=0.4\n"
        assert used(write(tmp_path, {"requirements.txt": listed})) is None

    def test_lists_include_others(self, tmp_path: Path) -> None:
        files = {
            "requirements.txt": "-r deps/base.txt\n",
            "deps/base.txt": "langgraph>=0.2\n-c ../pins.txt\n-r base.txt\n--requirement=gone.txt",
            "pins.txt": "langgraph==0.2.76\n",
        }
        assert used(write(tmp_path, files)) == (0, 2, 76)

    def test_unsaved_files_count(self, tmp_path: Path) -> None:
        write(tmp_path, {"requirements.txt": "langgraph==0.2.76"})
        path = str(tmp_path / "requirements.txt")
        files = ProjectFiles({path: b"langgraph==0.4.1"})
        found = ProjectVersions(files).of("langgraph", str(tmp_path / "flow.py"), str(tmp_path))
        assert found == (0, 4, 1)

    def test_what_is_stated_goes_before_all_files(self, tmp_path: Path) -> None:
        write(tmp_path, {"requirements.txt": "langgraph==0.2.76"})
        told = ProjectVersions(ProjectFiles(), {"LangGraph": "1.0.3"})
        assert told.of("langgraph", str(tmp_path / "flow.py"), str(tmp_path)) == (1, 0, 3)


class TestBrokenFiles:
    @pytest.mark.parametrize(
        "file", [*version_files.LOCKS, *version_files.SETTINGS, "requirements.txt"]
    )
    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"langgraph",
            b'[[package]]\nname = "langgraph"\nversion = 3\n[[package]]\nname = langgraph\n',
            b'[project]\ndependencies = 3\n[tool]\npoetry = "langgraph"\n',
            b'[tool.poetry]\ndependencies = ["langgraph"]\n[project.x\n',
            b'{"default": {"langgraph": 3}, "develop": ["langgraph"]}',
            b'["langgraph"]',
            b"x = " + b"[" * 100_000 + b"'langgraph'",
            b'"langgraph"' + b"[[" * 50_000,
            b"\xff\xfe\x00langgraph\x00==1\n",
            b"langgraph==" + b"9" * 5000 + b"\n",
            b"[options]\ninstall_requires = langgraph\ninstall_requires = %(x)s\n[options]\n",
            b"-r requirements.txt\n-r .\n-r \x00langgraph\n",
        ],
        ids=range(13),
    )
    def test_say_nothing(self, tmp_path: Path, file: str, data: bytes) -> None:
        (tmp_path / file).write_bytes(data)
        assert used(tmp_path) is None

    def test_too_large_ones_are_not_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path, {"requirements.txt": "langgraph==0.2.76\n"})
        assert used(tmp_path) == (0, 2, 76)
        monkeypatch.setattr(versions, "MAX_SIZE", 10)
        assert used(tmp_path) is None

    def test_folders_of_their_names_are_none(self, tmp_path: Path) -> None:
        for name in ("uv.lock", "requirements.txt", "pyproject.toml"):
            (tmp_path / name).mkdir()
        assert used(tmp_path) is None


class Counting(ProjectFiles):
    """The disk, noting what is read of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def read(self, path: str) -> bytes:
        self.asked.append(Path(path).name)
        return super().read(path)


def test_each_file_is_read_once(tmp_path: Path) -> None:
    write(tmp_path, {"requirements.txt": "langgraph==0.2.76\n", "uv.lock": "", "a/x.py": ""})
    files = Counting()
    found = ProjectVersions(files)
    for module in ("one.py", "a/two.py", "a/three.py", "a/b/four.py"):
        assert found.of("langgraph", str(tmp_path / module), str(tmp_path)) == (0, 2, 76)
    assert sorted(files.asked) == ["requirements.txt", "uv.lock"]


def test_nothing_is_read_where_no_flow_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def of(*_: object) -> None:
        raise AssertionError("asked for a version")

    monkeypatch.setattr(ProjectVersions, "of", of)
    imported = "from langgraph.graph import StateGraph\nprint(StateGraph)\n"
    write(tmp_path, {"a.py": imported, "requirements.txt": "langgraph==0.2.76\n"})
    assert check([str(tmp_path)], Options(jobs=1)).findings == ()
    write(tmp_path, {"a.py": f"{imported}StateGraph(dict).compile()\n"})
    assert [f.name for f in check([str(tmp_path)], Options(jobs=1)).findings] == ["internal-error"]


CATALOGS = {
    "pnpm": ("pnpm-workspace.yaml", "packages: [a]\ncatalog:\n  '@s/flows': ^0.19.0\n", ""),
    "pnpm, named so": (
        "pnpm-workspace.yaml", "catalogs:\n  default:\n    '@s/flows': ^0.19.0\n", "default"),
    "pnpm, by name": (
        "pnpm-workspace.yaml",
        "catalog:\n  '@s/flows': ^0.18.0\ncatalogs:\n  new:\n    '@s/flows': ^0.19.0\n", "new"),
    "yarn": (".yarnrc.yml", "catalog:\n  '@s/flows': ^0.19.0\n", ""),
    "bun": ("package.json", '{"workspaces": {"catalog": {"@s/flows": "^0.19.0"}}}', ""),
    "bun, by name": ("package.json", '{"catalogs": {"new": {"@s/flows": "^0.19.0"}}}', "new"),
}  # fmt: skip


@pytest.mark.parametrize("case", CATALOGS)
def test_what_a_package_asks_for_by_a_catalog_of_its_workspace(case: str, tmp_path: Path) -> None:
    file, text, catalog = CATALOGS[case]
    asked = json.dumps({"dependencies": {"@s/flows": f"catalog:{catalog}"}})
    write(tmp_path, {file: text, "a/package.json": asked, "a/b/x.ts": ""})
    module, root = tmp_path / "a/b/x.ts", tmp_path / "a"
    found = ProjectVersions(ProjectFiles()).of("@s/flows", str(module), str(root))
    assert found == (0, 19, NEWEST)
    (tmp_path / file).write_text("{[")
    assert ProjectVersions(ProjectFiles()).of("@s/flows", str(module), str(root)) is None
