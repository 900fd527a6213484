/** Why `npm ci` failed, and what to do about it. */

const BUILD_TOOLS = `No prebuilt SQLite could be downloaded for this machine, and compiling it needs a C++ compiler, make
and python3. Install them, then run this again:
  Debian, Ubuntu   sudo apt-get install build-essential python3
  Fedora           sudo dnf install gcc-c++ make python3
  Alpine           apk add build-base python3
  macOS            xcode-select --install`

const CAUSES = [
  [/^gyp ERR! find Python/m, () => `python3 was not found.\n${BUILD_TOOLS}`],
  [
    /not found: (make)|make: (\S+): No such file|(cc|gcc|c\+\+|g\+\+): (?:command )?not found/,
    (found) => `${found} was not found.\n${BUILD_TOOLS}`,
  ],
  [/No Xcode or CLT version|xcode-select: (?:note|error)|find VS/, () => BUILD_TOOLS],
  [
    /^gyp ERR! .*?(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)/m,
    (code) =>
      `No prebuilt SQLite could be downloaded, and the headers of Node that compiling it needs neither (${code}).
Is there a network here, or a proxy to name in HTTPS_PROXY? Then run this again.`,
  ],
  [
    /^npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONN\w+|E?TIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_\w+|\w*CERT\w*)/m,
    (code) =>
      `The packages could not be downloaded: npm cannot reach its registry (${code}).
Is there a network here, or a proxy that npm has to know (npm config set https-proxy …)? Then run this again.`,
  ],
  [/ENOSPC/, () => 'The disk is full. Make room (node_modules takes about 400 MB), then run this again.'],
]

export function causeOf(output, log) {
  for (const [sign, message] of CAUSES) {
    const match = sign.exec(output)
    if (match) return `${message(match.slice(1).find(Boolean))}\nAll that npm wrote is in ${log}.`
  }
  const tail = output.trimEnd().split('\n').slice(-12).join('\n')
  return `npm ci did not install payctl. Its last lines, all of which are in ${log}:\n${tail}`
}
