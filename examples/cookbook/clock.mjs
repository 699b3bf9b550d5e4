// Tells the model the time, which it does not know.
const now = new Date();
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const text = now.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short' });
console.log(`It is ${text} (${timeZone}).`);
