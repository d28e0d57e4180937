"use strict";
// Pointing at a statement lights up its memories, and at a memory every statement that rests on it; focusing does the
// same. data-lights names what an element has in common with others, a number each.
(function () {
  function numbers(element) { return (element.dataset.lights || "").split(" ").filter(Boolean); }

  function light(element) {
    const shared = new Set(element ? numbers(element) : []);
    for (const other of document.querySelectorAll("[data-lights]")) {
      const lit = other === element ? shared.size > 0
        : element !== null && other.dataset.side !== element.dataset.side && numbers(other).some((n) => shared.has(n));
      other.classList.toggle("lit", lit);
    }
  }

  for (const name of ["mouseover", "focusin"]) {
    document.addEventListener(name, function (event) {
      light(event.target.closest ? event.target.closest("[data-lights]") : null);
    });
  }

  // A part of a page that was refused is asked for as a page, which says why.
  document.addEventListener("htmx:responseError", function (event) {
    location.assign(event.detail.pathInfo.finalRequestPath);
  });
  document.addEventListener("htmx:sendError", function (event) {
    const notice = document.createElement("p");
    notice.className = "notice bad";
    notice.setAttribute("role", "alert");
    notice.textContent = "The server does not answer. Nothing was done; try again.";
    event.detail.target.replaceChildren(notice);
  });

  // Whoever comes back to the answer to a form, or asks for it anew, sends nothing a second time.
  if (document.body.dataset.instead) history.replaceState(null, "", document.body.dataset.instead);

  // A page that a browser kept for the way back may show what was forgotten since.
  addEventListener("pageshow", function (event) {
    if (event.persisted) location.reload();
  });

  // The number beside a slider follows it.
  document.addEventListener("input", function (event) {
    const output = event.target.type === "range" ? document.querySelector("output[for='" + event.target.id + "']") : null;
    if (output) output.textContent = event.target.value;
  });
})();
