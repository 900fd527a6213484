const { longestFirst } = require('./test/longest-first.cjs')
const everyday = require('./.mocharc.cjs')

/** What `npm test` leaves out: suites with this tag in their title, such as those on the other database. */
module.exports = { ...everyday, spec: longestFirst('rest'), grep: '@rest' }
