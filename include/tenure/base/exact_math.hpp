// Elementary functions whose results are the same bits everywhere: libm differs between versions,
// so nothing that feeds the schedule may use it. Built from + - * / and comparisons only, compiled
// with -ffp-contract=off.
#pragma once

namespace tenure::exact {

double log(double x);          // natural logarithm, x > 0
double exp(double x);          // e to the x; 0 below -745, infinity above 709
double square_root(double x);  // x >= 0
double normal_quantile(
    double p);  // inverse of the standard normal distribution function, 0 < p < 1

}  // namespace tenure::exact
