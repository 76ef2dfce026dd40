"""Standalone pages of HTML, opened in headless Chromium if it is installed. `look` returns the
value of a script in a page."""
import json, os, re, shutil, subprocess, tempfile

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def look(page, script, *options):
    """Runs `script` (JavaScript that returns a value) in a copy of the page once it is drawn;
    the value, or None."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(page) as f:
            text = f.read()
        run = (
            "const out = (() => {%s})();"
            " document.body.append(Object.assign(document.createElement('pre'), {id: 'out',"
            " textContent: encodeURIComponent(JSON.stringify(out))}));" % script
        )
        with open(copy, "w") as f:
            f.write(
                text.replace("</body>", "<script>setTimeout(() => {%s}, 300)</script></body>" % run)
            )
        command = [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--user-data-dir=" + folder,
            "--virtual-time-budget=3000",
            "--window-size=1000,800",
            *options,
            "--dump-dom",
            "file://" + copy,
        ]
        dom = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60
        ).stdout.decode("utf-8", "replace")
    from urllib.parse import unquote

    found = re.search(r'<pre id="out">(.*?)</pre>', dom, re.S)
    return json.loads(unquote(found.group(1))) if found else None


def outside(page):
    """The addresses that a page would load from elsewhere."""
    with open(page) as f:
        text = f.read()
    text = re.sub(r'xmlns(:\w+)?="[^"]*"', "", text)
    return re.findall(
        r'(?:src|href)="(?!#|data:)[^"]*"|@import|url\((?!#)[^)]*\)'
        r"|\bfetch\(|XMLHttpRequest|\bimport\(",
        text,
    )
