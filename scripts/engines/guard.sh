# Runs a program that must not outlive the process that asked for it, and prints its id. Standard input is a pipe from
# that process: the system closes it however the process ends, kill -9 included.
#   guard.sh TEMPORARY_FOLDER LOG_FILE PROGRAM ARGUMENT…     (an empty folder: nothing is removed)
folder=$1 log=$2
shift 2

# A shell gives what it starts in the background no standard input: the pipe gets another number.
exec 3<&0

"$@" < /dev/null >> "$log" 2>&1 3<&- &
program=$!
echo "$program"

(
  while read -r _; do :; done
  if [ -n "$folder" ]; then touch "$folder/orphaned"; fi
  kill -9 "$program"
) <&3 > /dev/null 2>&1 &
watcher=$!

wait "$program"
status=$?
kill "$watcher" 2> /dev/null
# While the parent lives the folder is its own to remove: it may want to read the log first.
if [ -n "$folder" ] && [ -e "$folder/orphaned" ]; then rm -rf "$folder"; fi
exit "$status"
