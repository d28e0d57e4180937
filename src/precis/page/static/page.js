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

  // The number beside a slider follows it.
  document.addEventListener("input", function (event) {
    const output = event.target.type === "range" ? document.querySelector("output[for='" + event.target.id + "']") : null;
    if (output) output.textContent = event.target.value;
  });
})();
