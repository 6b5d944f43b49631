package dev.joblock.sample.files;

import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * One line of a file.
 *
 * @param reference what the partner calls it; one line a reference
 * @param account whose it is
 * @param amount how much
 * @param booked when
 */
public record DeliveredRow(String reference, String account, BigDecimal amount, LocalDate booked) {}
