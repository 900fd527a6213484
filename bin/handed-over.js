/**
 * The command in the child that bin/hand-over.js starts. It ends with its parent, as if by `kill`: a parent that was killed
 * outright has forwarded no signal, but its channel closes.
 */
const { run } = require('./run.js')

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
void run(...process.argv.slice(2))
