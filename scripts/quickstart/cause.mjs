/** Messages that explain why `npm ci` failed and what to do, in lines of 80 columns. */

const NETWORK =
  '(ENOTFOUND|EAI_AGAIN|ECONN\\w+|E?TIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_\\w+|\\w*CERT\\w*)'

/** Known causes. The first one whose `sign` matches the output counts. The captured text appears in the message. */
const CAUSES = [
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
    if (match) return `${message(match[1])}\nAll that npm wrote is in ${log}.`
  }
  const tail = output.trimEnd().split('\n').slice(-12).join('\n')
  return `npm ci failed. The end of what it wrote to ${log}:\n${tail}`
}
