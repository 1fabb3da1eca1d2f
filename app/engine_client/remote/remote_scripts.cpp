#include "app/engine_client/remote/remote_scripts.h"

namespace stagelane::app::scripts {

// $1: the engine, "" for the default places. Sets e.
#define STAGELANE_FIND_ENGINE                                                             \
  "e=$1\n"                                                                                \
  "case $e in\n"                                                                          \
  "  '') e=$(command -v stagelane-engine) || e=$HOME/stagelane/bin/stagelane-engine ;;\n" \
  "  '~/'*) e=$HOME/${e#'~/'} ;;\n"                                                       \
  "esac\n"                                                                                \
  "if [ ! -f \"$e\" ] || [ ! -x \"$e\" ]; then printf '%s\\n' \"$e\"; exit 67; fi\n"

const std::string_view kCheck = STAGELANE_FIND_ENGINE R"sh(printf '%s\n' "$e"
"$e" version && exec "$e" devices --json
)sh";

const std::string_view kStart = R"sh(umask 077
d=${XDG_CACHE_HOME:-$HOME/.cache}/stagelane/runs/$1
started() { printf 'started %s %s\n' "$(cat "$d/pid")" "$d"; exit 0; }
[ -s "$d/pid" ] && started
for tool in tar setsid flock; do
  command -v $tool >/dev/null || { echo $tool; exit 68; }
done
shift
)sh" STAGELANE_FIND_ENGINE R"sh(v=$("$e" version </dev/null) || v=$v
[ "$v" = "$2" ] || { printf '%s\n%s\n' "$v" "$e"; exit 65; }
part=$3
shift 3
rm -rf -- "$d" && mkdir -p "$d/$part" && cd "$d" && tar -xf - -C "$part" || exit 1
exec 9>lock && flock -n 9 || exit 1
if [ -d run ]; then
  set -- run --resume "$d/run" "$@"
else
  [ ! -e in/costs.json ] || set -- --costs "$d/in/costs.json" "$@"
  [ ! -e in/plan.json ] || set -- --plan "$d/in/plan.json" "$@"
  set -- run "$d/in/experiment.json" --out "$d/run" "$@"
  mkdir run
fi
setsid sh -c 'trap : TERM HUP INT
"$@" >stdout 2>stderr
echo $? >exit.part && mv exit.part exit' sh "$e" "$@" </dev/null >/dev/null 2>&1 &
echo $! >pid.part && mv pid.part pid && started
)sh";

const std::string_view kFollow = R"sh(cd "$1" || exit 66
exec 3<&0
echo 'stagelane: following' >&2
tail -c "+$2" -F -s 0.2 run/events.jsonl 2>/dev/null 3<&- & t=$!
flock -s lock true >/dev/null 2>&1 3<&- & f=$!
{ cat <&3; kill $t $f; } >/dev/null 2>&1 & c=$!
wait $f || { kill $t; exit 1; }
sleep 0.3
kill $t $c
exit 0
)sh";

const std::string_view kEnd = R"sh(cd "$1" || exit 66
flock -n -s lock true || exit 75
code=none
[ ! -s exit ] || code=$(cat exit)
n=0
[ ! -e run/events.jsonl ] || n=$(($(wc -c <run/events.jsonl) - $2 + 1))
size=$(du -sk run 2>/dev/null | cut -f1)
printf '%s %s %s000\n' "$code" "$n" "${size:-0}"
[ "$n" -le 0 ] || tail -c "+$2" run/events.jsonl
tail -c 65536 stdout
tail -c 65536 stderr
exit 0
)sh";

const std::string_view kSignal = R"sh(cd "$1" || exit 66
flock -n -s lock true && exit 0
kill -s "$2" -- "-$3"
)sh";

const std::string_view kFetch = R"sh(cd "$1/run" || exit 66
exec tar -cf - .
)sh";

const std::string_view kRemove = R"sh(case $1 in
  */stagelane/runs/"$2") exec rm -rf -- "$1" ;;
esac
)sh";

}  // namespace stagelane::app::scripts
