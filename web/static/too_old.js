// Says so where a browser is too old for the page's own script, which it may not even be able to read. This one
// any browser reads; what it looks for came no earlier than all else that the others need.

(function () {
  if (window.HTMLDialogElement && Array.prototype.at) return;
  document.getElementById("too-old").hidden = false;
})();
