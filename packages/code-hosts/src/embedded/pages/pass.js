// Docket opens these pages with a pass behind the `#`. The browser keeps it and sends it with every form.
const given = /^#pass=([\w.-]+)$/.exec(location.hash)?.[1]
if (given) {
  // Keeps people from copying it along with the address.
  history.replaceState(null, '', location.pathname + location.search)
  localStorage.setItem('pass', given)
}
const pass = localStorage.getItem('pass')
const isRefused = document.documentElement.dataset.pass === 'refused'
// A pass begins with its expiry, in milliseconds since the epoch.
if (pass && (isRefused || Number.parseInt(pass, 10) < Date.now())) localStorage.removeItem('pass')
else if (pass) {
  document.documentElement.classList.add('has-pass')
  document.addEventListener('formdata', ({ formData }) => formData.set('pass', pass))
}
