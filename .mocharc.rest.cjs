const everything = require('./.mocharc.cjs')

/** What `npm test` leaves out: suites on the other database, and those with this tag in their title. */
module.exports = { ...everything, grep: '@rest' }
