/** Why `npm ci` failed, and what to do about it, in lines for 80 columns. */

const BUILD_TOOLS = `No prebuilt SQLite could be downloaded, and compiling it needs a C++ compiler,
make and python3. Install them, then run this again:

  Debian, Ubuntu   sudo apt-get install build-essential python3
  Fedora           sudo dnf install gcc-c++ make python3
  Alpine           apk add build-base python3
  macOS            xcode-select --install
`

const NETWORK =
  '(ENOTFOUND|EAI_AGAIN|ECONN\\w+|E?TIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_\\w+|\\w*CERT\\w*)'

/** The first sign that is found decides; what it captures is named in the message. */
const CAUSES = [
  { sign: /^gyp ERR! find Python/m, message: () => `python3 is missing.\n${BUILD_TOOLS}` },
  {
    sign: /not found: (make)\b|^make: (\S+): No such file|\b(cc|gcc|c\+\+|g\+\+): (?:command )?not found/m,
    message: (tool) => `${tool} is missing.\n${BUILD_TOOLS}`,
  },
  { sign: /No Xcode or CLT version|^xcode-select: |^gyp ERR! find VS/m, message: () => BUILD_TOOLS },
  {
    sign: /^gyp ERR! .*network connectivity/m,
    message: () => `Neither a prebuilt SQLite nor the headers of Node could be downloaded.
Is there a network here, or a proxy to name in HTTPS_PROXY? Then run this again.`,
  },
  {
    sign: new RegExp(`^npm (?:error|ERR!) code ${NETWORK}`, 'm'),
    message: (code) => `npm cannot reach its registry (${code}).
Is there a network here, or a proxy that npm has to know (npm config set
https-proxy …)? Then run this again.`,
  },
  { sign: /\bENOSPC\b/, message: () => 'The disk is full. Make room, then run this again.' },
]

export function causeOf(output, log) {
  for (const { sign, message } of CAUSES) {
    const match = sign.exec(output)
    if (match) return `${message(match.slice(1).find(Boolean))}\nAll that npm wrote is in ${log}.`
  }
  const tail = output.trimEnd().split('\n').slice(-12).join('\n')
  return `npm ci failed. The end of what it wrote to ${log}:\n${tail}`
}
