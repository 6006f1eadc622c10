#include "runtime/plot/svg.h"

#include <charconv>
#include <cmath>

#include "runtime/plot/base64.h"
#include "runtime/plot/png.h"
#include "runtime/value/checkpoint.h"

namespace griddle::plot {

namespace {

constexpr double font_size = 14;
constexpr std::size_t text_points_between_looks = 1 << 16;  // points

void append_escaped(HeapText& out, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      // XML has no other controls, not even escaped.
      default: out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
}

}  // namespace

Svg::Svg(Heap& heap, double width, double height) : heap_(heap), out_(heap), width_(width), height_(height) {
  out_ += R"(<?xml version="1.0" encoding="UTF-8"?>)"
          "\n<svg xmlns=\"http://www.w3.org/2000/svg\"";
  attribute("width", width);
  attribute("height", height);
  out_ += " viewBox=\"0 0 ";
  number(width);
  out_ += ' ';
  number(height);
  out_ += "\" font-family=\"sans-serif\"";
  attribute("font-size", font_size);
  out_ += ">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
}

HeapText Svg::finish() {
  out_ += "</svg>\n";
  return std::move(out_);
}

Surface::Metrics Svg::metrics() const {
  return {
      .width = width_, .height = height_, .character = font_size * 0.6, .line = font_size * 1.3, .tick = 5, .gap = 6, .grain = 1};
}

// A hundredth of a unit is finer than anybody sees.
void Svg::number(double v) {
  constexpr double steps = 100, farthest = 1e9;
  char text[32];
  const double rounded = std::round(std::fmax(-farthest, std::fmin(farthest, v)) * steps) / steps;
  out_.append(text, std::to_chars(text, std::end(text), rounded == 0 ? 0.0 : rounded, std::chars_format::fixed).ptr);
}

void Svg::attribute(const char* name, double v) {
  ((out_ += ' ') += name) += "=\"";
  number(v);
  out_ += '"';
}

void Svg::color(const char* name, Color c) {
  ((out_ += ' ') += name) += "=\"#";
  for (const std::uint8_t part : {c.red, c.green, c.blue}) {
    constexpr char digits[] = "0123456789abcdef";
    out_ += digits[part >> 4];
    out_ += digits[part & 15];
  }
  out_ += '"';
}

void Svg::text(double x, double y, Anchor anchor, std::string_view utf8) {
  constexpr double below_middle = 0.35;  // of the font's size: where letters stand
  out_ += "<text";
  attribute("x", x);
  attribute("y", y + font_size * below_middle);
  color("fill", ink);
  if (anchor != Anchor::start) out_ += anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
  out_ += '>';
  append_escaped(out_, utf8);
  out_ += "</text>\n";
}

void Svg::line(double x0, double y0, double x1, double y1, Color c) {
  out_ += "<line";
  attribute("x1", x0);
  attribute("y1", y0);
  attribute("x2", x1);
  attribute("y2", y1);
  color("stroke", c);
  out_ += "/>\n";
}

void Svg::grid_line(double x0, double y0, double x1, double y1) { line(x0, y0, x1, y1, pale); }
void Svg::axis_line(double x0, double y0, double x1, double y1) { line(x0, y0, x1, y1, ink); }
void Svg::tick(double x, double y, bool is_horizontal) {
  const double length = metrics().tick;
  if (is_horizontal)
    line(x, y, x, y + length, ink);
  else
    line(x - length, y, x, y, ink);
}

void Svg::box(double x0, double y0, double x1, double y1) {
  attribute("x", x0);
  attribute("y", y0);
  attribute("width", x1 - x0);
  attribute("height", y1 - y0);
}

void Svg::begin_area(double x0, double y0, double x1, double y1) {
  out_ += "<clipPath id=\"area\"><rect";
  box(x0, y0, x1, y1);
  out_ += "/></clipPath>\n<g clip-path=\"url(#area)\">\n";
}
void Svg::end_area() { out_ += "</g>\n"; }

void Svg::curve(std::span<const Point> points, std::size_t series) {
  constexpr double width = 1.75;
  bool open = false;
  out_ += "<path d=\"";
  for (std::size_t i = 0; i < points.size(); i++) {
    if (i % text_points_between_looks == 0) checkpoint();
    if (std::isnan(points[i].x)) {
      open = false;
      continue;
    }
    // A point between gaps is a line to itself, which round ends make a dot.
    const bool alone = !open && (i + 1 == points.size() || std::isnan(points[i + 1].x));
    out_ += open ? 'L' : 'M';
    number(points[i].x);
    out_ += ' ';
    number(points[i].y);
    if (alone) out_ += "h0";
    open = true;
  }
  out_ += "\" fill=\"none\"";
  color("stroke", series_color(series));
  attribute("stroke-width", width);
  out_ += " stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n";
}

void Svg::dots(std::span<const Point> points, std::size_t series) {
  constexpr double size = 5;
  // Lines without length whose ends are round: a third of the text of circles.
  out_ += "<path d=\"";
  for (std::size_t i = 0; i < points.size(); i++) {
    if (i % text_points_between_looks == 0) checkpoint();
    out_ += 'M';
    number(points[i].x);
    out_ += ' ';
    number(points[i].y);
    out_ += "h0";
  }
  out_ += "\" fill=\"none\"";
  color("stroke", series_color(series));
  attribute("stroke-width", size);
  out_ += " stroke-linecap=\"round\"/>\n";
}

void Svg::bar(double x0, double y0, double x1, double y1, std::size_t series) {
  out_ += "<rect";
  box(x0, y0, x1, y1);
  color("fill", series_color(series));
  out_ += "/>\n";
}

void Svg::image(double x0, double y0, double x1, double y1, const Pixels& pixels) {
  out_ += "<image";
  box(x0, y0, x1, y1);
  out_ += " preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,";
  append_base64(out_, png_of(heap_, pixels));
  out_ += "\"/>\n";
}

void Svg::legend_mark(double x, double y, std::size_t series, bool) {
  const double size = font_size * 0.7;
  bar(x, y - size / 2, x + size * 1.5, y + size / 2, series);
}

}  // namespace griddle::plot
