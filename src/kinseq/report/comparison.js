/* What is taken away from the page of a comparison. */
(function () {
  "use strict";

  var data = JSON.parse(document.getElementById("data").textContent);
  document.querySelectorAll("[data-table]").forEach(function (button) {
    button.addEventListener("click", function () { save(button.dataset.table + ".csv", data[button.dataset.table], "text/csv"); });
  });
  document.querySelectorAll("[data-figure]").forEach(function (button) {
    var box = document.getElementById(button.dataset.figure);
    offers(button, box && box.querySelector("svg"));
  });
  document.documentElement.classList.add("live");
})();
